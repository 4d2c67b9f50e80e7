import { OracleError } from '../../sql/oracle-error.ts';
import type { StatementRunner } from '../statement-runner.ts';
import type { BlockFrame } from './block-frame.ts';
import type { BlockExpression } from './block-syntax.ts';
import type { CompiledBlock } from './compiled-block.ts';
import type { TypedValue } from './typed-value.ts';

const INVALID_NUMBER = 1722;

/** Evaluates the expressions of a running block: in place where that is enough, else in PostgreSQL. */
export class ExpressionEvaluator {
  readonly #compiled: CompiledBlock;
  readonly #frame: BlockFrame;
  readonly #runner: StatementRunner;

  constructor(compiled: CompiledBlock, frame: BlockFrame, runner: StatementRunner) {
    this.#compiled = compiled;
    this.#frame = frame;
    this.#runner = runner;
  }

  async isTrue(condition: BlockExpression): Promise<boolean> {
    return (await this.evaluate(condition)).value === true;
  }

  async evaluate(expression: BlockExpression): Promise<TypedValue> {
    const folded = this.#frame.fold(expression);
    if (folded !== undefined) {
      return folded;
    }
    const query = this.#compiled.queries.get(expression);
    if (query === undefined) {
      throw new OracleError(6502, 'PL/SQL: numeric or value error');
    }
    const outcome = await this.#runner
      .run(query.statement, this.#frame.valueOf, true)
      .catch((error: unknown) => {
        throw asPlsqlError(error);
      });
    const value = outcome.rows[0]?.[0] ?? null;
    return query.isCondition
      ? { value: value === null ? null : value === 1, type: { kind: 'BOOLEAN' } }
      : { value, type: outcome.columns[0]?.type };
  }
}

/** SQL's word for a text that is no number, ORA-01722, is ORA-06502 in an expression of PL/SQL. */
function asPlsqlError(error: unknown): unknown {
  return error instanceof OracleError && error.number === INVALID_NUMBER
    ? new OracleError(6502, 'PL/SQL: numeric or value error: character to number conversion error')
    : error;
}
