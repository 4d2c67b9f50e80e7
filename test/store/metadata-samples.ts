import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../lib/schemas/metadata.ts';

/** Values that are easily taken for each other. */
const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  null,
  true,
  false,
  0,
  1,
  1.5,
  -1,
  '',
  '1',
  '1.5',
  'true',
  'null',
  'x',
  '[]',
  '{}',
  '🙂',
  '%',
);
const fieldName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('d e', '日本', 'x"y', "it's", 'a.b', '__proto__', 'a[0]', '\\', '🙂'),
  },
);

const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; list: JsonValue; object: JsonValue }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(fieldName, tie('value'), { maxKeys: 3 }),
  }),
).value;

/** Metadata of up to four levels; `$agent_memory` may stand at the top. */
export const metadata: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.oneof({ weight: 5, arbitrary: fieldName }, { weight: 1, arbitrary: fc.constant('$agent_memory') }),
  value,
  { minKeys: 1, maxKeys: 4 },
);

/** Filters made of what the documents hold, some of it disturbed: they match often, and miss narrowly. */
export function filtersOf(documents: readonly JsonObject[]): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...documents).chain(fieldsOf);
}

function fieldsOf(stored: JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .subarray(Object.keys(stored), { minLength: Math.min(1, Object.keys(stored).length) })
    .chain((names) =>
      fc
        .tuple(
          fc.record(Object.fromEntries(names.map((name) => [name, expectation(stored[name] ?? null)]))),
          fc.oneof(
            { weight: 5, arbitrary: fc.constant({}) },
            fc.dictionary(fieldName, expectation(null), { maxKeys: 1 }),
          ),
        )
        .map(([known, further]): JsonObject => ({ ...known, ...further })),
    );
}

function expectation(stored: JsonValue): fc.Arbitrary<JsonValue> {
  const plain = fc.oneof(
    { weight: 3, arbitrary: fc.constant(stored) },
    { weight: 1, arbitrary: scalar },
    { weight: 1, arbitrary: value },
    ...(isObject(stored) ? [{ weight: 3, arbitrary: fieldsOf(stored) }] : []),
  );
  const element = fc.oneof(
    Array.isArray(stored) && stored.length > 0 ? fc.constantFrom(...stored) : scalar,
    value,
  );
  const operator = fc.oneof(
    fc.record({ $not: plain }),
    fc.record({ $array_contains: fc.oneof(element, fc.array(element, { maxLength: 2 })) }),
    fc.record({ $array_contains_any: fc.array(element, { maxLength: 3 }) }),
    fc.record({ $not: fc.record({ $array_contains: element }) }),
    fc.record({ $not: fc.record({ $not: plain }) }),
    fc.record({ $array_contains: element, $not: plain }),
  );
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: operator });
}

function isObject(candidate: JsonValue): candidate is JsonObject {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
}
