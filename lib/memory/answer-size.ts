/** Room for the items of an answer: no answer exceeds 5 MiB (HTTP API contract, Conventions). */
const ANSWER_BYTES = 5 * 1024 * 1024 - 64 * 1024;

/** Takes items from the front while they fit one answer as JSON; always at least one, so that a caller gets on. */
export function takeWithinAnswer<Item>(items: readonly Item[]): readonly Item[] {
  const encoder = new TextEncoder();
  let room = ANSWER_BYTES;
  const firstLeftOut = items.findIndex((item, index) => {
    room -= encoder.encode(JSON.stringify(item)).length + 1;
    return room < 0 && index > 0;
  });
  return firstLeftOut === -1 ? items : items.slice(0, firstLeftOut);
}
