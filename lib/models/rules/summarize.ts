import type { PromptSections } from './prompt-sections.ts';
import { splitSentences } from './split-sentences.ts';
import { estimateTokens, takeTokens } from './token-estimate.ts';

const DEFAULT_SUMMARY_TOKENS = 300;
const DEFAULT_MESSAGE_TOKENS = 500;
const LINE_TOKENS = 60;
const TOPICS = 5;
const SMALL_TALK =
  /^(?:hi|hello|hey|thanks|thank you|ok|okay|great|cool|sure|yes|no|bye|good (?:morning|evening|night)|こんにちは|こんばんは|おはようございます|ありがとう(?:ございます)?|はい|いいえ)[\s.!。！,、]*$/iu;
const STOP_WORDS = new Set(
  'about after again also always and any are because been before being but can could did does doing don for from get going had has have her here him his how into its just let like make many may more most much need not now off one only other our out over please really said same she should since some still such than that the their them then there these they thing this those through too use used very want was way well were what when where which while who why will with would yes you your user assistant'.split(
    ' ',
  ),
);

function messageLines(sections: PromptSections): readonly string[] {
  return sections.messages.flatMap(({ role, content }) => {
    const said = splitSentences(content)
      .map(({ text, restore }) => restore(text))
      .filter((text) => !SMALL_TALK.test(text))
      .slice(0, 2)
      .join(' ');
    return said === '' ? [] : [`${role}: ${takeTokens(said, LINE_TOKENS, 'start')}`];
  });
}

/** The lines that fit the budget, the latest first to be kept, in their own order. */
function keepLatest(lines: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  const kept = lines.toReversed().filter((line) => {
    const cost = estimateTokens(`${line}\n`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  return kept.toReversed();
}

/** An extract of the running summary so far and the first sentences of each message, within the token budget. */
export function summarize(sections: PromptSections): string {
  const budget = sections.tokenBudget ?? DEFAULT_SUMMARY_TOKENS;
  const earlier = sections.summary?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const lines = [...new Set([...earlier, ...messageLines(sections)])];
  const kept = keepLatest(lines, budget);
  if (kept.length > 0 || lines.length === 0) return kept.join('\n');
  return takeTokens(lines.at(-1) ?? '', budget, 'start');
}

/** The words most said, proper names first: short topics for retrieval. */
export function findTopics(sections: PromptSections): readonly string[] {
  const counts = new Map<string, number>();
  for (const { content } of sections.messages) {
    const words =
      content.match(/\p{Script=Han}{2,}|[\p{Script=Katakana}ー]{2,}|[\p{Script=Latin}\p{M}]{3,}/gu) ?? [];
    for (const word of words) {
      const lower = word.toLowerCase();
      if (STOP_WORDS.has(lower)) continue;
      const isName = /^\p{Lu}\p{Ll}/u.test(word) && !content.startsWith(word);
      counts.set(lower, (counts.get(lower) ?? 0) + (isName ? 2 : 1));
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TOPICS)
    .map(([word]) => word);
}

/** The start and the end of the first message, within the token budget, with the gap marked. */
export function shortenMessage(sections: PromptSections): string {
  const budget = sections.tokenBudget ?? DEFAULT_MESSAGE_TOKENS;
  const content = sections.messages[0]?.content ?? '';
  if (estimateTokens(content) <= budget) return content;
  const gap = ' […] ';
  const left = Math.max(1, budget - estimateTokens(gap));
  const head = takeTokens(content, Math.ceil((left * 2) / 3), 'start');
  const tail = takeTokens(content, Math.floor(left / 3), 'end');
  return `${head.trimEnd()}${gap}${tail.trimStart()}`;
}
