/** Items of one request at most, and bytes of their JSON: a body holds 1 MiB unless the service is told otherwise. */
const ITEMS = 100;
const BYTES = 500_000;

/** Items in parts that each fit into one request; an item that is larger is a part of its own. */
export function splitBySize<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = Buffer.byteLength(JSON.stringify(item));
    const last = parts.at(-1);
    if (last === undefined || last.length === ITEMS || bytes + itemBytes > BYTES) {
      parts.push([item]);
      bytes = itemBytes;
    } else {
      last.push(item);
      bytes += itemBytes;
    }
  }
  return parts;
}
