import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineOfPath } from '../../infra/import/json-position.ts';

const MARK = 'the value that is looked for';

/** Every path into a value. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, entry]) => pathsOf(entry, [...path, key]))];
}

/** The value with a mark at a path. */
function marked(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return MARK;
  if (Array.isArray(value)) return value.map((entry, index) => (index === key ? marked(entry, rest) : entry));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([name, entry]) => [name, name === key ? marked(entry, rest) : entry]),
  );
}

it('finds the line of every value, whatever the texts beside it contain', () => {
  const texts = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '{"a": [', ']}', ',\n', '\\"'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        texts.filter((name) => name !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(), (given, choice) => {
      const plain: unknown = JSON.parse(JSON.stringify(given));
      const paths = pathsOf(plain);
      const path = paths[choice % paths.length] ?? [];
      const text = JSON.stringify(plain, null, 2);
      const lines = JSON.stringify(marked(plain, path), null, 2).split('\n');
      expect(lineOfPath(text, path)).toBe(lines.findIndex((line) => line.includes(MARK)) + 1);
    }),
    { numRuns: 500 },
  );
});

it('stays at the last value on a path that leads out of the text', () => {
  const text = '{\n  "a": [\n    {"b": 1}\n  ]\n}';
  expect(lineOfPath(text, ['a', 0, 'missing', 'x'])).toBe(3);
  expect(lineOfPath(text, ['a', 7])).toBe(2);
  expect(lineOfPath(text, ['z'])).toBe(1);
});
