/** A longer grapheme is no written character but a pile of marks, and may be cut between code points. */
const MAX_GRAPHEME_LENGTH = 32;
/** How far back a chunk may end to end with a word. */
const WORD_REACH = 40;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Where a text may be cut without breaking a surrogate pair or a written character such as an emoji sequence. */
export interface GraphemeBoundaries {
  /** The last boundary at or before `index`. */
  atOrBefore(index: number): number;
  /** The first boundary after `index`. */
  after(index: number): number;
  /** A boundary shortly before `index` that follows white space, or `index` when there is none after `least`. */
  wordEnd(index: number, least: number): number;
}

function codePointStart(text: string, index: number): number {
  const isLow = /[\uDC00-\uDFFF]/.test(text.charAt(index));
  return isLow && /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) ? index - 1 : index;
}

export function createGraphemeBoundaries(text: string): GraphemeBoundaries {
  const segments = segmenter.segment(text);
  return {
    atOrBefore(index) {
      const grapheme = segments.containing(index);
      if (grapheme === undefined) return index;
      return grapheme.segment.length > MAX_GRAPHEME_LENGTH ? codePointStart(text, index) : grapheme.index;
    },
    after(index) {
      const grapheme = segments.containing(index);
      if (grapheme === undefined) return text.length;
      if (grapheme.segment.length <= MAX_GRAPHEME_LENGTH) return grapheme.index + grapheme.segment.length;
      return index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
    },
    wordEnd(index, least) {
      const start = Math.max(least, index - WORD_REACH);
      const space = text.slice(start, index).search(/\s\S*$/u);
      if (space < 0 || index === text.length) return index;
      const end = this.atOrBefore(start + space + 1);
      return end > least ? end : index;
    },
  };
}
