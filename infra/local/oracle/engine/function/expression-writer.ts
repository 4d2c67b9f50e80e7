import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { containsAggregate } from '../../translate/aggregates.ts';
import { asNumber, convert } from '../../translate/conversion.ts';
import { translateExpression } from '../../translate/expression.ts';
import { isAssignable } from '../../translate/implicit-conversion.ts';
import { StatementState } from '../../translate/scope.ts';
import { emptyEnvironment } from '../../translate/target.ts';
import { isNumeric, isText, postgresType, type Value } from '../../translate/value.ts';
import type { BlockExpression } from '../block/block-syntax.ts';
import { compileError, wrapCompileError } from '../block/compile-error.ts';
import { isPlsInteger } from '../block/pls-integer.ts';
import type { Catalog } from '../catalog.ts';
import type { FunctionScope } from './function-scope.ts';

/** Writes the expressions of a stored function as PostgreSQL's. */
export class ExpressionWriter {
  readonly #text: string;
  readonly #catalog: Catalog;

  constructor(text: string, catalog: Catalog) {
    this.#text = text;
    this.#catalog = catalog;
  }

  /** A condition. PLS-00382: the expression is none. */
  condition(expression: BlockExpression, scope: FunctionScope): string {
    const { type, sql } = this.#value(expression, scope);
    if (type !== undefined && type.kind !== 'BOOLEAN') {
      throw this.#wrongType(expression);
    }
    return type === undefined ? 'NULL::boolean' : sql;
  }

  /** A number as PostgreSQL's `numeric`. */
  number(expression: BlockExpression, scope: FunctionScope): string {
    return this.assigned(expression, { kind: 'NUMBER' }, scope);
  }

  text(expression: BlockExpression, scope: FunctionScope): string {
    return this.assigned(expression, { kind: 'CLOB' }, scope);
  }

  /**
   * The value as a variable of the type takes it: converted, and checked when the function runs (ORA-06502). PLS-00382:
   * there is no conversion.
   */
  assigned(expression: BlockExpression, type: OracleType, scope: FunctionScope): string {
    const value = this.#value(expression, scope);
    if (value.type === undefined) {
      return `NULL::${postgresType(type)}`;
    }
    if (!isAssignable(value.type, type)) {
      throw this.#wrongType(expression);
    }
    const converted = this.#located(expression, () => convertedTo(value, type));
    return checked(converted, type);
  }

  #value(expression: BlockExpression, scope: FunctionScope): Value {
    if (containsAggregate(expression.tree)) {
      const message = 'PLS-00204: an aggregate function may be used inside a SQL statement only';
      throw compileError(this.#text, expression.offset, message);
    }
    const state = new StatementState({
      catalog: this.#catalog,
      binds: new Map(),
      variables: scope.types,
      routine: scope,
    });
    const environment = { ...emptyEnvironment(state), inCondition: true, restricted: true };
    const value = this.#located(expression, () => translateExpression(expression.tree, environment));
    return { ...value, sql: withValueErrors(value.sql) };
  }

  #wrongType({ offset }: BlockExpression): OracleError {
    return compileError(this.#text, offset, 'PLS-00382: expression is of wrong type');
  }

  /** Runs a translation; its errors are those of the text. */
  #located<Result>({ offset }: BlockExpression, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OracleError) || error.number === 3001) {
        throw error;
      }
      const at = offset + (error.offset ?? 0);
      const message = error.message.slice(error.message.indexOf(': ') + 2);
      switch (error.number) {
        case 6550:
          throw compileError(this.#text, at, message, error);
        case 6553:
          throw compileError(this.#text, at, message.replace('PLS-306', 'PLS-00306'), error);
        default:
          throw wrapCompileError(this.#text, offset, error, 'expression');
      }
    }
  }
}

/** In PL/SQL a text that is no number is ORA-06502, where SQL says ORA-01722. */
function withValueErrors(sql: string): string {
  const quotedOrConversion = /('(?:[^']|'')*'|"(?:[^"]|"")*")|ora\.to_number\(/g;
  return sql.replace(quotedOrConversion, (_match, quoted?: string) => quoted ?? 'ora.plsql_number(');
}

function convertedTo(value: Value, type: OracleType): string {
  return isText(value.type) && isNumeric(type)
    ? `ora.plsql_number(${value.sql})`
    : isNumeric(type) && type.kind === 'NUMBER'
      ? convert(asNumber(value), type)
      : convert(value, type);
}

function checked(sql: string, type: OracleType): string {
  switch (type.kind) {
    case 'VARCHAR2':
      return `ora.plsql_text(${sql}, ${type.length}, ${type.unit === 'BYTE'})`;
    case 'NUMBER':
      if (isPlsInteger(type)) {
        return `ora.plsql_integer(${sql})`;
      }
      return type.precision === undefined
        ? sql
        : `ora.plsql_precision(${sql}, ${type.precision}, ${type.scale ?? 0})`;
    default:
      return sql;
  }
}
