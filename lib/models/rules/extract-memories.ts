import { contentWords } from './content-words.ts';
import { readEnglishSentence, readThirdPerson } from './english-statements.ts';
import { readJapaneseSentence } from './japanese-statements.ts';
import type { PromptMemory, PromptSections } from './prompt-sections.ts';
import { type HiddenSentence, splitSentences } from './split-sentences.ts';
import { contradicts, dropReplaced, isRepetition, type Statement } from './statement.ts';

/** One item of the `memory_extraction` answer (HTTP API contract, Model contract). */
export interface ExtractedMemory {
  readonly type: Statement['type'];
  readonly content: string;
  readonly importance: number;
  readonly entities: readonly string[];
  readonly topic: string;
  readonly sourceMessageIds: readonly string[];
  readonly supersedes: readonly string[];
}

interface Found {
  readonly statement: Statement;
  readonly sourceMessageIds: readonly string[];
  readonly supersedes: readonly string[];
}

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/** Capitalised words that do not begin the sentence. */
const NAME_WORD =
  "\\p{Lu}(?:(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])[\\p{L}\\p{M}\\p{N}'’&-])*";
const NAME = new RegExp(`(?<!^|[.!?]\\s|[\\p{L}\\p{N}])${NAME_WORD}(?:\\s+${NAME_WORD})*`, 'gu');
const NO_NAMES =
  /^(?:User|I|Please|Always|Never|From|When|If|The|ユーザー|アレルギー|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December)$/;
/** What one pass may answer, as a model's output limit would have it. */
const MAX_MEMORIES = 200;

function readSentence(sentence: HiddenSentence): readonly Statement[] {
  return JAPANESE.test(sentence.text) ? readJapaneseSentence(sentence) : readEnglishSentence(sentence);
}

/** What a statement says besides: `works as a nurse at Acme` names the employer too. */
function aspectsOf(statement: Statement): readonly Statement[] {
  const employer =
    statement.slot === 'role'
      ? /\b(?:at|for|with) (?<name>[^,]+)/.exec(statement.content)?.groups?.name
      : undefined;
  return employer === undefined
    ? [statement]
    : [statement, { ...statement, slot: 'employer', objects: contentWords(employer) }];
}

function readPastMemory(memory: PromptMemory): readonly Statement[] {
  const read = splitSentences(memory.content).flatMap((sentence) => {
    const statement = readThirdPerson(sentence.text.replace(/[\s.!]+$/u, ''), memory.content);
    return statement === null ? readSentence(sentence) : [statement];
  });
  const whole: Statement = {
    type: 'memory',
    content: memory.content,
    slot: `past:${memory.id}`,
    isSingleValued: false,
    objects: new Set(),
    isNegative: false,
    importance: 1,
  };
  return [...read.flatMap(aspectsOf), whole];
}

/** Names in a statement: capitalised words inside the sentence, Katakana words, words with digits. */
function findEntities(content: string): readonly string[] {
  const names = content.match(NAME) ?? [];
  const katakana = content.match(/[\p{Script=Katakana}ー]{2,}/gu) ?? [];
  return [...new Set([...names, ...katakana].map((name) => name.replace(/['’]s?$/u, '')))]
    .filter((name) => !NO_NAMES.test(name))
    .slice(0, 8);
}

/** Slug of what a memory is about: its slot, and the value's first words where a slot holds many. */
function topicOf({ slot, isSingleValued, objects }: Statement): string {
  const words = isSingleValued ? [slot] : [slot, ...[...objects].slice(0, 3)];
  return words
    .join('-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

function addStatement(
  found: readonly Found[],
  statement: Statement,
  messageId: string,
  supersedes: readonly string[],
): Found[] {
  const same = found.find((item) => isRepetition(statement, item.statement));
  if (same !== undefined) {
    const sources = [...new Set([...same.sourceMessageIds, messageId])];
    return found.map((item) => (item === same ? { ...item, sourceMessageIds: sources } : item));
  }
  const corrected = found.filter((item) => contradicts(statement, item.statement));
  const inherited = corrected.flatMap((item) => item.supersedes);
  return [
    ...found.filter((item) => !corrected.includes(item)),
    { statement, sourceMessageIds: [messageId], supersedes: [...new Set([...supersedes, ...inherited])] },
  ];
}

/** Takes back what an earlier sentence of the pass corrected, when a later one repeats what a past memory already says. */
function withdrawCorrected(found: readonly Found[], statement: Statement): Found[] {
  return found.filter((item) => !contradicts(statement, item.statement));
}

/**
 * Extracts what the user-role messages state about the user and what they ask to be kept, in the order said. A statement
 * that a past memory holds already is left out; one that contradicts past memories names them in `supersedes`.
 */
export function extractMemories(sections: PromptSections): readonly ExtractedMemory[] {
  const past = sections.pastMemories.map((memory) => ({ id: memory.id, statements: readPastMemory(memory) }));
  let found: readonly Found[] = [];
  for (const message of sections.messages.filter(({ role }) => role === 'user')) {
    for (const statement of dropReplaced(splitSentences(message.content).flatMap(readSentence))) {
      const aspects = aspectsOf(statement);
      const isKnown = past.some(({ statements }) =>
        statements.some((known) => isRepetition(statement, known)),
      );
      const contradicted = past
        .filter(({ statements }) =>
          aspects.some((aspect) => statements.some((known) => contradicts(aspect, known))),
        )
        .map(({ id }) => id);
      found = isKnown
        ? withdrawCorrected(found, statement)
        : addStatement(found, statement, message.id, contradicted);
      if (found.length >= MAX_MEMORIES) break;
    }
    if (found.length >= MAX_MEMORIES) break;
  }
  return found.map(({ statement, sourceMessageIds, supersedes }) => ({
    type: statement.type,
    content: statement.content,
    importance: statement.importance,
    entities: findEntities(statement.content),
    topic: topicOf(statement),
    sourceMessageIds,
    supersedes,
  }));
}
