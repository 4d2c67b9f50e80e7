const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]+/y;
const SPACE = /\s*/y;

/** Where a match that has to be at this offset ends. */
function endOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  pattern.test(text);
  return Math.max(pattern.lastIndex, offset);
}

function afterSpace(text: string, offset: number): number {
  return endOf(SPACE, text, offset);
}

function isContainer(text: string, offset: number): boolean {
  return text[offset] === '{' || text[offset] === '[';
}

/** One entry of an object or a list: its key or index, and where its value begins and ends. */
interface Entry {
  readonly key: string | number;
  readonly start: number;
  readonly end: number;
}

function* entriesOf(text: string, offset: number): Generator<Entry, number, undefined> {
  const isObject = text[offset] === '{';
  let position = afterSpace(text, offset + 1);
  for (let index = 0; text[position] !== '}' && text[position] !== ']'; index += 1) {
    let key: string | number = index;
    if (isObject) {
      const keyEnd = endOf(STRING, text, position);
      key = String(JSON.parse(text.slice(position, keyEnd)));
      position = afterSpace(text, afterSpace(text, keyEnd) + 1);
    }
    const end = valueEnd(text, position);
    yield { key, start: position, end };
    position = afterSpace(text, end);
    if (text[position] === ',') position = afterSpace(text, position + 1);
  }
  return position + 1;
}

function valueEnd(text: string, offset: number): number {
  if (text[offset] === '"') return endOf(STRING, text, offset);
  if (!isContainer(text, offset)) return endOf(SCALAR, text, offset);
  let depth = 0;
  for (let position = offset; ; position += 1) {
    const character = text[position];
    if (character === '"') position = endOf(STRING, text, position) - 1;
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return position + 1;
  }
}

/**
 * Line, from 1, on which the value of a path begins. Where the path leaves the text, it is that of the last value on it.
 *
 * @param text JSON that `JSON.parse` takes
 */
export function lineOfPath(text: string, path: readonly PropertyKey[]): number {
  let offset = afterSpace(text, 0);
  for (const key of path) {
    if (!isContainer(text, offset)) break;
    const found = [...entriesOf(text, offset)].findLast((entry) => entry.key === key);
    if (found === undefined) break;
    offset = found.start;
  }
  return lineOfOffset(text, offset);
}

/** Line, from 1, of a place in a text. */
export function lineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
