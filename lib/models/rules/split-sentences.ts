/** Private-use characters around the number of a quotation that is hidden while its sentence is read. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const QUOTATION = /"[^"\n]{1,400}"|“[^“”\n]{1,400}”|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』/gu;
const HIDDEN = new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'gu');
const CODE_FENCE = /```[\s\S]*?(?:```|$)/g;
/** Lines that are no speech of the writer: quotations, pasted transcripts, logs, data, stack traces. */
const PASTED_LINE =
  /^\s*(?:>|[{}[\]<]|\||(?:user|assistant|human|ai|bot|system|tool|agent)\s*:|\d{4}-\d\d-\d\d[T ]\d\d:|(?:error|warn(?:ing)?|info|debug|trace|exception|traceback)\b[:\s[]|at \S+ ?\(|on .{4,60} wrote:)/i;
const ABBREVIATION = /(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|etc|e\.g|i\.e|No|Jr|Sr)|\b\p{Lu})\.$/u;
/** Longer runs without an end are no sentence that a rule could read. */
const MAX_SENTENCE_LENGTH = 1000;
const SENTENCE_END = /(?<=[.!?…;])[)'’]?\s+|(?<=[。！？])/u;

function joinAbbreviations(parts: readonly string[]): string[] {
  const sentences: string[] = [];
  for (const part of parts) {
    const last = sentences.at(-1);
    if (last !== undefined && last.length < MAX_SENTENCE_LENGTH && ABBREVIATION.test(last))
      sentences[sentences.length - 1] = `${last} ${part}`;
    else sentences.push(part);
  }
  return sentences;
}

/** A sentence whose quotations are hidden, so that rules read only the writer's own words. */
export interface HiddenSentence {
  readonly text: string;
  /** Puts the quotations back into a text made from the sentence. */
  restore(text: string): string;
}

/**
 * Splits a message into the sentences that its writer says: without code, quoted lines, logs and pasted data, and with
 * quotations hidden. Splits at line ends and at the closing punctuation of English and Japanese.
 */
export function splitSentences(content: string): readonly HiddenSentence[] {
  const quotations: string[] = [];
  const hidden = content.replace(CODE_FENCE, '\n').replace(QUOTATION, (quotation) => {
    quotations.push(quotation);
    return `${OPEN}${quotations.length - 1}${CLOSE}`;
  });
  const restore = (text: string): string =>
    text.replace(HIDDEN, (mark, index: string) => quotations[Number(index)] ?? mark);
  return hidden
    .split(/[\r\n]+/)
    .filter((line) => !PASTED_LINE.test(line))
    .flatMap((line) => joinAbbreviations(line.split(SENTENCE_END)))
    .map((text) => text.replace(/^\s*(?:[-*•・]|\d+[.)])\s+/u, '').trim())
    .filter((text) => text.length <= MAX_SENTENCE_LENGTH && /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, restore }));
}
