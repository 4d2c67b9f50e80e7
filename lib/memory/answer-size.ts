/** Room for the items of an answer: no answer exceeds 5 MiB (HTTP API contract, Conventions). */
export const ANSWER_BYTES = 5 * 1024 * 1024 - 64 * 1024;

const encoder = new TextEncoder();

/** Length of a value as JSON, in UTF-8 bytes. */
export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** What is left of an answer. */
export interface AnswerRoom {
  /** Takes bytes when they still fit, and says whether they did. */
  take(bytes: number): boolean;
}

export function createAnswerRoom(): AnswerRoom {
  let room = ANSWER_BYTES;
  return {
    take(bytes) {
      if (bytes > room) return false;
      room -= bytes;
      return true;
    },
  };
}

/** Takes items from the front while they fit one answer as JSON; always at least one, so that a caller gets on. */
export function takeWithinAnswer<Item>(items: readonly Item[]): readonly Item[] {
  const room = createAnswerRoom();
  const firstLeftOut = items.findIndex((item, index) => !room.take(jsonBytes(item) + 1) && index > 0);
  return firstLeftOut === -1 ? items : items.slice(0, firstLeftOut);
}

/** The beginning of a text that fits an answer which holds it `copies` times; never half of a surrogate pair. */
export function cutToAnswer(text: string, copies: number): string {
  const fits = (length: number): boolean => jsonBytes(text.slice(0, length)) * copies <= ANSWER_BYTES;
  if (fits(text.length)) return text;
  let [fitting, tooLong] = [0, text.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  const cut = text.slice(0, fitting);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
