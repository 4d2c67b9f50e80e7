import * as z from 'zod';
import { AgentMemoryError, type JsonObject, type JsonValue } from '../../lib/client/index.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** Where an item is and what it holds, under one key of the metadata of its memory. */
const itemSchema = z.object({
  langgraph: z.object({
    namespace: z.array(z.string()),
    key: z.string(),
    value: z.record(z.string(), z.unknown()),
  }),
});
const valueSchema = z.record(z.string(), z.json());

/** Every beginning of a namespace stands in a list: a filter can ask what a list contains, not how it begins. */
export function metadataOf(namespace: readonly string[], key: string, value: Metadata): JsonObject {
  const prefixes = namespace.map((_part, index) => JSON.stringify(namespace.slice(0, index + 1)));
  return { langgraph: { namespace, key, value: valueSchema.parse(value), prefixes } };
}

export function readItem(metadata: JsonObject): z.output<typeof itemSchema>['langgraph'] {
  return itemSchema.parse(metadata).langgraph;
}

/**
 * The filter for items in a namespace or below it whose values have what is asked.
 *
 * @throws AgentMemoryError `unsupported` for `$gt`, `$gte`, `$lt` and `$lte`: the service compares for equality
 */
export function itemFilter(prefix: readonly string[], filter: Metadata = {}): JsonObject {
  const entries: [string, JsonValue][] = [];
  if (prefix.length > 0) entries.push(['prefixes', { $array_contains: JSON.stringify(prefix) }]);
  const asked = Object.entries(valueSchema.parse(filter)).map(
    ([name, value]) => [name, fieldFilter(value)] as const,
  );
  if (asked.length > 0) entries.push(['value', Object.fromEntries(asked)]);
  return { langgraph: Object.fromEntries(entries) };
}

function fieldFilter(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [[operator, operand] = ['', null], ...others] = Object.entries(value);
  if (!operator.startsWith('$')) return value;
  if (others.length === 0 && operator === '$eq') return operand;
  if (others.length === 0 && operator === '$ne') return { $not: operand };
  throw new AgentMemoryError('unsupported', `the filter operator ${operator} has no counterpart`);
}
