const NAME_OR_INDEX = /[^.[\]]+/g;

/** Every text in a value, in order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What stands at `title`, `author.name`, `chapters[0]` or, of all of them, `chapters[*].title`. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  const entries = new Map<string, unknown>(Object.entries(Object(value)));
  const found = name === '*' ? [...entries.values()] : entries.has(name) ? [entries.get(name)] : [];
  return found.flatMap((each) => valuesAt(each, rest));
}

/**
 * The texts of a value, a line each, by which it is found: those at the given paths, otherwise all. A value without any is
 * its JSON.
 */
export function itemText(value: object, paths?: readonly string[]): string {
  const values = paths?.flatMap((path) => valuesAt(value, path.match(NAME_OR_INDEX) ?? [])) ?? [value];
  const texts = values.flatMap(textsIn);
  return texts.length === 0 ? JSON.stringify(value) : texts.join('\n');
}
