import { invalidRequest } from '../../errors/agent-memory-error.ts';
import type { JsonObject, JsonValue } from '../../schemas/metadata.ts';
import { type Bind, json } from '../../sql/bind.ts';
import { JSON_PATH_LIMIT, jsonPathSteps } from './json-path.ts';

/** A condition on a JSON column and the values it binds (`filter_1`, `filter_2`, …). */
export interface CompiledFilter {
  readonly sql: string;
  readonly binds: Readonly<Record<string, Bind>>;
}

const OPERATOR_LIMIT = 32;
const DEPTH_LIMIT = 8;
/** Bounds the text of the statement: values, list entries and operators together. */
const CONDITION_LIMIT = 256;

interface Compilation {
  readonly column: string;
  readonly binds: Record<string, Bind>;
  conditions: number;
  operators: number;
}

/** Where the compiler stands: the stored field, and the place in the filter that a message names. */
interface Place {
  readonly field: readonly string[];
  readonly label: string;
  readonly depth: number;
}

/**
 * Compiles a metadata filter (contract §7) to an Oracle condition on a JSON column that is never NULL. Field names
 * become quoted path steps, values are always bound as JSON text. Each leaf is true or false, never unknown, so that
 * NOT also finds records without the field.
 *
 * The shape avoids the relaxed comparison of path expressions (`"1"` equals 1, a scalar equals an array element; JSON
 * Developer's Guide, "SQL/JSON Path Expression Syntax Relaxation"): presence by JSON_EXISTS, equality by JSON_EQUAL,
 * and the type of each container from its parent.
 *
 * @param column The column, with its alias: `r.metadata`
 * @throws AgentMemoryError `invalid_request` naming the place: `metadataFilter.a.$not`
 */
export function compileMetadataFilter(filter: JsonObject, column: string): CompiledFilter {
  const compilation: Compilation = { column, binds: {}, conditions: 0, operators: 0 };
  const root: Place = { field: [], label: 'metadataFilter', depth: 0 };
  const conditions = fieldConditions(compilation, filter, root);
  return { sql: conditions.length === 0 ? '1 = 1' : conditions.join(' AND '), binds: compilation.binds };
}

function fieldConditions(compilation: Compilation, fields: JsonObject, place: Place): readonly string[] {
  return Object.entries(fields).map(([name, value]) => valueCondition(compilation, value, step(place, name)));
}

/** An empty string is NULL in PL/SQL, so the stored function for filters could not look up the empty name. */
function step(place: Place, name: string): Place {
  if (name === '') throw invalidRequest(place.label, 'has an empty field name');
  return { field: [...place.field, name], ...nested(place, name) };
}

function nested(place: Place, name: string): { readonly label: string; readonly depth: number } {
  if (place.depth >= DEPTH_LIMIT) {
    throw invalidRequest(`${place.label}.${name}`, `is nested deeper than ${DEPTH_LIMIT} levels`);
  }
  return { label: `${place.label}.${name}`, depth: place.depth + 1 };
}

function valueCondition(compilation: Compilation, value: JsonValue, place: Place): string {
  if (!isJsonObject(value)) return equalCondition(compilation, value, place);
  const names = Object.keys(value);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length > 0 && operators.length < names.length) {
    throw invalidRequest(place.label, 'mixes operators and field names');
  }
  if (operators.length > 0) {
    return `(${operators.map((name) => operatorCondition(compilation, name, value[name], place)).join(' AND ')})`;
  }
  countCondition(compilation, place);
  const own = typeCondition(compilation, 'object', place);
  return `(${[own, ...fieldConditions(compilation, value, place)].join(' AND ')})`;
}

function operatorCondition(
  compilation: Compilation,
  name: string,
  operand: JsonValue | undefined,
  place: Place,
): string {
  const inside: Place = { field: place.field, ...nested(place, name) };
  compilation.operators += 1;
  if (compilation.operators > OPERATOR_LIMIT) {
    throw invalidRequest(inside.label, `is more than ${OPERATOR_LIMIT} operators`);
  }
  if (operand === undefined) throw invalidRequest(inside.label, 'has no operand');
  switch (name) {
    case '$not':
      return `NOT ${parenthesized(valueCondition(compilation, operand, inside))}`;
    case '$array_contains':
      return containsCondition(compilation, Array.isArray(operand) ? operand : [operand], ' AND ', inside);
    case '$array_contains_any':
      if (!Array.isArray(operand)) throw invalidRequest(inside.label, 'must be a list');
      return containsCondition(compilation, operand, ' OR ', inside);
    default:
      throw invalidRequest(inside.label, 'is not an operator of metadata filters');
  }
}

function containsCondition(
  compilation: Compilation,
  operands: readonly JsonValue[],
  joint: ' AND ' | ' OR ',
  place: Place,
): string {
  const isArray = typeCondition(compilation, 'array', place);
  if (operands.length === 0) return joint === ' AND ' ? isArray : '(1 = 0)';
  const elements = literal(`$${jsonPathSteps(place.field)}[*]`, place);
  const found = operands.map((operand) => {
    countCondition(compilation, place);
    return (
      `EXISTS (SELECT 1 FROM JSON_TABLE(${compilation.column}, ${elements} COLUMNS (element JSON PATH '$')) e` +
      ` WHERE JSON_EQUAL(e.element, ${boundJson(compilation, operand)}))`
    );
  });
  return `(${isArray} AND (${found.join(joint)}))`;
}

function equalCondition(compilation: Compilation, value: JsonValue, place: Place): string {
  countCondition(compilation, place);
  const path = literal(`$${jsonPathSteps(place.field)}`, place);
  const { column } = compilation;
  const stored = `JSON_QUERY(${column}, ${path} RETURNING JSON)`;
  return `(JSON_EXISTS(${column}, ${path}) AND JSON_EQUAL(${stored}, ${boundJson(compilation, value)}))`;
}

/** From the root, because a filter on a step that meets an array looks at its elements. */
function typeCondition(compilation: Compilation, type: 'object' | 'array', place: Place): string {
  const path = literal(`$?(@${jsonPathSteps(place.field)}.type() == "${type}")`, place);
  return `JSON_EXISTS(${compilation.column}, ${path})`;
}

function countCondition(compilation: Compilation, place: Place): void {
  compilation.conditions += 1;
  if (compilation.conditions > CONDITION_LIMIT) {
    throw invalidRequest(place.label, `makes more than ${CONDITION_LIMIT} conditions`);
  }
}

function literal(path: string, place: Place): string {
  if (path.length > JSON_PATH_LIMIT) throw invalidRequest(place.label, 'has field names that are too long');
  return `'${path}'`;
}

function boundJson(compilation: Compilation, value: JsonValue): string {
  const name = `filter_${Object.keys(compilation.binds).length + 1}`;
  compilation.binds[name] = json(value);
  return `JSON(:${name})`;
}

function parenthesized(condition: string): string {
  return condition.startsWith('(') ? condition : `(${condition})`;
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
