import { OracleError } from '../../sql/oracle-error.ts';
import type { JsonHandling, JsonPathExpression } from '../../sql/syntax-tree.ts';
import { asText, convert } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import { quoteName, quoteText } from '../names.ts';
import type { Environment } from '../scope.ts';
import { condition, inconsistent, isNumeric, VARCHAR2, type Value } from '../value.ts';
import { translateJsonPathText } from './json-path-syntax.ts';
import { jsonDocument, jsonFragment, jsonScalar } from './json-value.ts';

/** `JSON_VALUE`, `JSON_QUERY` and `JSON_EXISTS`. */
export function translateJsonPath(node: JsonPathExpression, environment: Environment): Value {
  const strict = node.onError === 'ERROR';
  const document = jsonDocument(translateExpression(node.document, environment), strict, node.offset);
  const path = quoteText(translateJsonPathText(node.path, node.offset));
  const passing = translatePassing(node, environment);
  const lookup: Lookup = { node, document, arguments: `${document}, ${path}${passing}`, strict };
  switch (node.function) {
    case 'JSON_EXISTS':
      return translateExists(lookup);
    case 'JSON_VALUE':
      return translateValue(lookup, environment);
    case 'JSON_QUERY':
      return translateFragment(lookup);
  }
}

interface Lookup {
  readonly node: JsonPathExpression;
  readonly document: string;
  readonly arguments: string;
  readonly strict: boolean;
}

function translatePassing(node: JsonPathExpression, environment: Environment): string {
  if (node.passing.length === 0) {
    return '';
  }
  const variables = node.passing.map(({ name, value }) => {
    const translated = translateExpression(value, environment);
    const sql =
      isNumeric(translated.type) || translated.type?.kind === 'BOOLEAN'
        ? translated.sql
        : asText(translated, value.offset);
    return `${sql} AS ${quoteName(name)}`;
  });
  return ` PASSING ${variables.join(', ')}`;
}

function translateExists({ node, arguments: list }: Lookup): Value {
  const handling = node.onError ?? 'FALSE';
  if (handling !== 'TRUE' && handling !== 'FALSE' && handling !== 'ERROR') {
    throw new OracleError(907, 'missing right parenthesis', { offset: node.offset });
  }
  if (node.onEmpty !== undefined || node.returning !== undefined) {
    throw new OracleError(907, 'missing right parenthesis', { offset: node.offset });
  }
  return condition(`JSON_EXISTS(${list} ${handling} ON ERROR)`);
}

/** A missing value falls under ON ERROR unless ON EMPTY says otherwise. */
export function emptyIsError(onError: JsonHandling | undefined, onEmpty: JsonHandling | undefined): boolean {
  return onEmpty === 'ERROR' || (onEmpty === undefined && onError === 'ERROR');
}

function translateValue(lookup: Lookup, environment: Environment): Value {
  const { node, strict } = lookup;
  const type = node.returning ?? VARCHAR2;
  const empty = emptyIsError(node.onError, node.onEmpty) ? 'ERROR' : 'NULL';
  const found = `JSON_QUERY(${lookup.arguments} RETURNING jsonb ${empty} ON EMPTY ${strict ? 'ERROR' : 'NULL'} ON ERROR)`;
  let value = jsonScalar(found, type, strict, node.offset);
  const onError = defaultValue(node.onError, node, environment, value);
  if (onError !== undefined) {
    value = {
      ...value,
      bounded: false,
      sql: `(CASE WHEN ${found} = 'null'::jsonb THEN NULL ELSE COALESCE(${value.sql}, ${onError}) END)`,
    };
  }
  const onEmpty =
    node.onEmpty === 'NULL' && onError !== undefined
      ? 'NULL'
      : defaultValue(node.onEmpty, node, environment, value);
  if (onEmpty !== undefined) {
    value = {
      ...value,
      bounded: false,
      sql: `(CASE WHEN JSON_EXISTS(${lookup.arguments}) THEN ${value.sql} ELSE ${onEmpty} END)`,
    };
  }
  return value;
}

function defaultValue(
  handling: JsonHandling | undefined,
  node: JsonPathExpression,
  environment: Environment,
  value: Value,
): string | undefined {
  if (handling === undefined || handling === 'NULL' || handling === 'ERROR') {
    return undefined;
  }
  if (typeof handling === 'string' || value.type === undefined) {
    throw new OracleError(907, 'missing right parenthesis', { offset: node.offset });
  }
  return convert(translateExpression(handling, environment), value.type, node.offset);
}

function translateFragment(lookup: Lookup): Value {
  const { node, strict } = lookup;
  const onError = fragmentHandling(node.onError, 'NULL', node.offset);
  const onEmpty = fragmentHandling(node.onEmpty, onError, node.offset);
  const wrapper = {
    WITHOUT: '',
    WITH: ' WITH UNCONDITIONAL WRAPPER',
    'WITH CONDITIONAL': ' WITH CONDITIONAL WRAPPER',
  }[node.wrapper];
  const found = `JSON_QUERY(${lookup.arguments} RETURNING jsonb${wrapper} ${onEmpty} ON EMPTY ${onError} ON ERROR)`;
  if (node.returning !== undefined && isNumeric(node.returning)) {
    throw inconsistent('CHAR', node.returning, node.offset);
  }
  return jsonFragment(
    node.pretty ? `jsonb_pretty(${found})::jsonb` : found,
    node.returning,
    strict,
    node.offset,
  );
}

/** What a query gives for an empty or wrong result, in PostgreSQL's words. */
export function fragmentHandling(
  handling: JsonHandling | undefined,
  otherwise: string,
  offset: number,
): string {
  if (handling === undefined) {
    return otherwise;
  }
  if (typeof handling === 'string' && handling !== 'TRUE' && handling !== 'FALSE') {
    return handling;
  }
  throw new OracleError(907, 'missing right parenthesis', { offset });
}
