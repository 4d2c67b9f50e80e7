/** Items of one request at most, and characters of their text: a body holds 1 MiB. */
const ITEMS = 100;
const CHARACTERS = 200_000;

/** Items in parts that each fit into one request; an item that is longer is a part of its own. */
export function splitByLength<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let length = 0;
  for (const item of items) {
    const itemLength = lengthOf(item);
    const last = parts.at(-1);
    if (last === undefined || last.length === ITEMS || length + itemLength > CHARACTERS) {
      parts.push([item]);
      length = itemLength;
    } else {
      last.push(item);
      length += itemLength;
    }
  }
  return parts;
}
