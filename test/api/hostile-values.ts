import * as z from 'zod';

/** A number that JSON can write and JavaScript cannot hold: put into a body as it is. */
export const BEYOND_DOUBLE = '@@1e400@@';
const TWO_TO_60 = 2 ** 60;

/** One wrong value in a body that is right otherwise, and the path that the answer must name. */
export interface Mutation {
  readonly path: string;
  readonly description: string;
  readonly body: string;
}

const schemaNode = z.looseObject({
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  $ref: z.string().optional(),
});
type SchemaNode = z.infer<typeof schemaNode>;

const STRINGS = [42, true, { wrong: 1 }, ['a'], 'a\ud800', 'a\u0000b', 'x'.repeat(400_001)];
const INTEGERS = ['5', 'NaN', 1.5, -2_147_483_649, TWO_TO_60, BEYOND_DOUBLE, { wrong: 1 }, true];
const HOSTILE: Readonly<Record<string, readonly unknown[]>> = {
  string: STRINGS,
  integer: INTEGERS,
  number: ['5', TWO_TO_60, BEYOND_DOUBLE, true],
  boolean: ['true', 1, { wrong: 1 }],
  array: [42, 'a', {}],
  object: [42, 'a', ['a']],
};
const METADATA = [42, 'a', ['a'], { a: 'b\ud800' }, { 'k\u0000': 1 }, { a: BEYOND_DOUBLE }];

/** Every body that differs from a valid one in one value, made from the JSON schema of the body. */
export function mutations(schema: unknown, valid: Readonly<Record<string, unknown>>): readonly Mutation[] {
  const root = z.looseObject({ $defs: z.record(z.string(), z.unknown()).optional() }).parse(schema);
  return mutateObject(schemaNode.parse(schema), valid, root.$defs ?? {}, '').map(
    ({ path, value, hostile }) => ({
      path,
      description: describe(hostile),
      body: JSON.stringify(value).replaceAll(`"${BEYOND_DOUBLE}"`, '1e400'),
    }),
  );
}

interface Change {
  readonly path: string;
  readonly value: unknown;
  readonly hostile: unknown;
}

function mutateObject(
  node: SchemaNode,
  valid: Readonly<Record<string, unknown>>,
  defs: Readonly<Record<string, unknown>>,
  prefix: string,
): readonly Change[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
    changesOf(resolve(property, defs), valid[name], defs, prefix + name).map((change) => ({
      ...change,
      value: { ...valid, [name]: change.value },
    })),
  );
}

function changesOf(
  node: SchemaNode,
  valid: unknown,
  defs: Readonly<Record<string, unknown>>,
  path: string,
): readonly Change[] {
  const own = hostileValues(node, path).map((hostile) => ({ path, value: hostile, hostile }));
  const item = schemaNode.safeParse(node.items);
  const items = Array.isArray(valid) ? valid : [];
  const first: unknown = items[0];
  const inItem =
    item.success && isObject(first) ? mutateObject(resolve(item.data, defs), first, defs, `${path}[0].`) : [];
  const inObject = isObject(valid) && node.properties ? mutateObject(node, valid, defs, `${path}.`) : [];
  return [
    ...own,
    ...inObject,
    ...inItem.map((change) => ({ ...change, value: [change.value, ...items.slice(1)] })),
  ];
}

function hostileValues(node: SchemaNode, path: string): readonly unknown[] {
  if (node.enum !== undefined) return ['no-such-value', 42];
  if (node.format === 'date-time') return ['yesterday', '2026-02-30T00:00:00Z', 42];
  if (node.type === 'object' && node.properties === undefined) return METADATA;
  const values = HOSTILE[node.type ?? ''] ?? [];
  return /(?:^|[.\]])(?:\w+Id|id)$/.test(path) ? [...values, 'a\u0007b', '', 'x'.repeat(129), '..'] : values;
}

/** The node behind a reference; of a union, its first member that is not null. */
function resolve(value: unknown, defs: Readonly<Record<string, unknown>>): SchemaNode {
  const node = schemaNode.parse(value);
  if (node.$ref !== undefined) return resolve(defs[node.$ref.replace('#/$defs/', '')], defs);
  const member = node.anyOf?.find((each) => schemaNode.parse(each).type !== 'null');
  return member === undefined ? node : resolve(member, defs);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(hostile: unknown): string {
  const text = JSON.stringify(hostile);
  return text.length > 40 ? `${text.slice(0, 12)}… (${text.length})` : text;
}
