export type JsonRecord = Readonly<Record<string, unknown>>;

/** Places in an answer where an object is looked for at most; chatty prose holds few braces. */
const ATTEMPT_LIMIT = 64;
const ANSWER_LIMIT = 1_000_000;
const VALID_ESCAPE = /["\\/bfnrtu]/;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Cuts a thinking block that opens the answer. Tags further on are content, somebody's own text. */
function withoutThinking(text: string): string {
  const opening = /^\s*<(think(?:ing)?)>/i.exec(text)?.[1];
  if (opening === undefined) return text;
  const closing = `</${opening}>`.toLowerCase();
  const end = text.toLowerCase().indexOf(closing);
  return end < 0 ? '' : text.slice(end + closing.length);
}

/** The end of the object that starts at `start`, exclusive; undefined when it never closes. */
function findObjectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function escapeControl(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

/** Mends what models get wrong in JSON: raw control characters and unknown escapes in strings, trailing commas. */
function mendJson(text: string): string {
  let mended = '';
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString && character === '\\') {
      const next = text.charAt(index + 1);
      mended += VALID_ESCAPE.test(next) ? `\\${next}` : next;
      index += 1;
    } else if (inString && character < ' ') mended += escapeControl(character);
    else if (!inString && character === ',' && /^\s*[}\]]/.test(text.slice(index + 1, index + 200))) continue;
    else {
      if (character === '"') inString = !inString;
      mended += character;
    }
  }
  return mended;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Finds the object that a model meant to answer with: the whole text, or the first object in it that `isMeant` accepts,
 * past code fences, prose and an opening thinking block. Undefined when there is none (HTTP API contract, Model contract).
 */
export function findJsonObject(
  answer: string,
  isMeant: (value: JsonRecord) => boolean,
): JsonRecord | undefined {
  const text = withoutThinking(answer.slice(0, ANSWER_LIMIT));
  const whole = parseJson(text);
  if (isRecord(whole) && isMeant(whole)) return whole;
  let start = text.indexOf('{');
  for (let attempt = 0; attempt < ATTEMPT_LIMIT && start >= 0; attempt += 1) {
    const end = findObjectEnd(text, start);
    const candidate = end === undefined ? undefined : text.slice(start, end);
    const value =
      candidate === undefined ? undefined : (parseJson(candidate) ?? parseJson(mendJson(candidate)));
    if (isRecord(value) && isMeant(value)) return value;
    start = text.indexOf('{', start + 1);
  }
  return undefined;
}

/** A text of an answer as the database can hold it, without white space around it; '' for anything else. */
export function cleanText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '').trim() : '';
}
