import type { JsonObject, JsonValue } from '../../lib/schemas/metadata.ts';

/** What a metadata filter means, by the rules of contract §7 and with nothing of the database's. */
export function matchesFilter(filter: JsonObject, metadata: JsonObject): boolean {
  return Object.entries(filter).every(([name, expected]) => matchesValue(expected, own(metadata, name)));
}

function matchesValue(expected: JsonValue, stored: JsonValue | undefined): boolean {
  if (!isObject(expected)) return stored !== undefined && equal(expected, stored);
  const names = Object.keys(expected);
  if (names.some((name) => name.startsWith('$'))) {
    return names.every((name) => matchesOperator(name, expected[name] ?? null, stored));
  }
  return isObject(stored) && matchesFilter(expected, stored);
}

function matchesOperator(name: string, operand: JsonValue, stored: JsonValue | undefined): boolean {
  if (name === '$not') return !matchesValue(operand, stored);
  const operands: readonly JsonValue[] = isList(operand) ? operand : [operand];
  if (!isList(stored)) return false;
  const contains = (wanted: JsonValue) => stored.some((element) => equal(wanted, element));
  return name === '$array_contains' ? operands.every(contains) : operands.some(contains);
}

function equal(one: JsonValue, other: JsonValue): boolean {
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((element, index) => equal(element, other[index] ?? null));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => name in other && equal(one[name] ?? null, other[name] ?? null))
    );
  }
  return one === other;
}

function own(metadata: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(metadata, name) ? metadata[name] : undefined;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
