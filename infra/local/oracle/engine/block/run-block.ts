import { OracleError } from '../../sql/oracle-error.ts';
import type { EngineBind, OracleValue } from '../oracle-engine.ts';
import type { StatementOutcome, StatementRunner } from '../statement-runner.ts';
import type { TranslatedStatement } from '../statement-translator.ts';
import type { BlockCompiler } from './block-compiler.ts';
import { BlockFrame } from './block-frame.ts';
import type { Block, BlockExpression, BlockStatement, EmbeddedSql, Target } from './block-syntax.ts';
import { callProcedure } from './call-procedure.ts';
import { positionOf } from './compile-error.ts';
import type { CompiledBlock } from './compiled-block.ts';
import { findHandler } from './exception-handler.ts';
import { ExpressionEvaluator } from './expression-evaluator.ts';
import { LoopPace } from './loop-pace.ts';
import { runPackageCall } from './run-package-call.ts';

/** How a statement list ended. */
type Ending = 'normal' | 'return' | 'exit' | 'continue';

/**
 * Runs a block and returns the values of its OUT binds. An unhandled error undoes everything the block did and
 * carries the line where it was raised (ORA-06512).
 */
export async function runBlock(
  compiled: CompiledBlock,
  binds: readonly EngineBind[],
  runner: StatementRunner,
  compiler: BlockCompiler,
  procedure?: string,
): Promise<Readonly<Record<string, OracleValue>>> {
  const run = new BlockRun(compiled, binds, runner, compiler, procedure);
  const { transaction } = runner;
  const point = await transaction.mark();
  try {
    await run.runNested(compiled.block, false);
    await transaction.keep(point);
    return run.frame.outValues();
  } catch (error) {
    await transaction.undo(point);
    throw error;
  }
}

class BlockRun {
  readonly frame: BlockFrame;
  readonly #compiled: CompiledBlock;
  readonly #runner: StatementRunner;
  readonly #compiler: BlockCompiler;
  readonly #procedure: string | undefined;
  readonly #expressions: ExpressionEvaluator;
  readonly #pace: LoopPace;

  constructor(
    compiled: CompiledBlock,
    binds: readonly EngineBind[],
    runner: StatementRunner,
    compiler: BlockCompiler,
    procedure: string | undefined,
  ) {
    this.#compiled = compiled;
    this.#runner = runner;
    this.#compiler = compiler;
    this.#procedure = procedure;
    this.#pace = new LoopPace(() => runner.checkRunning());
    this.frame = new BlockFrame(compiled.types, binds);
    this.#expressions = new ExpressionEvaluator(compiled, this.frame, runner);
  }

  /** `protect`: some block around this one has handlers, so a failed statement must be undone alone. */
  async runNested(block: Block, protect: boolean): Promise<Ending> {
    const hasHandlers = block.handlers.length > 0;
    for (const { name, type, initial, offset } of block.declarations) {
      await this.#located(offset, async () => {
        const value =
          initial === undefined ? { value: null, type } : await this.#expressions.evaluate(initial);
        this.frame.assign({ source: 'variable', name }, value);
      });
    }
    try {
      return await this.#runAll(block.body, protect || hasHandlers);
    } catch (error) {
      const handler = error instanceof OracleError ? findHandler(block, error) : undefined;
      if (handler === undefined || !(error instanceof OracleError)) {
        throw error;
      }
      return await this.frame.withCurrentError(error, () => this.#runAll(handler.body, protect));
    }
  }

  async #runAll(statements: readonly BlockStatement[], protect: boolean): Promise<Ending> {
    for (const statement of statements) {
      const ending =
        statement.kind === 'block'
          ? await this.runNested(statement, protect)
          : await this.#located(statement.offset, () => this.#runOne(statement, protect));
      if (ending !== 'normal') {
        return ending;
      }
    }
    return 'normal';
  }

  /** Adds the line to an error that is raised here. */
  async #located<Result>(offset: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof OracleError && !error.message.includes('\nORA-06512: ')
        ? withLine(error, positionOf(this.#compiled.text, offset).line)
        : error;
    }
  }

  async #runOne(statement: Exclude<BlockStatement, Block>, protect: boolean): Promise<Ending> {
    switch (statement.kind) {
      case 'null':
        return 'normal';
      case 'case_not_found':
        throw new OracleError(6592, 'CASE not found while executing CASE statement');
      case 'return':
        return 'return';
      case 'raise':
        throw this.frame.currentError;
      case 'sql':
        await this.#runSql(statement.sql, protect);
        return 'normal';
      case 'assign':
        this.frame.assign(statement.target, await this.#expressions.evaluate(statement.value));
        return 'normal';
      case 'if':
        return this.#runIf(statement, protect);
      case 'raise_application_error':
        return this.#raiseApplicationError(statement.number, statement.message);
      case 'execute_immediate':
        await this.#executeImmediate(statement.text, protect);
        return 'normal';
      case 'call':
        await callProcedure(statement, this.#runner, this.#compiler, (value) =>
          this.#expressions.evaluate(value),
        );
        return 'normal';
      case 'set_context':
      case 'clear_context':
      case 'add_policy':
      case 'drop_policy':
      case 'sync_index':
      case 'optimize_index':
        await runPackageCall(statement, {
          runner: this.#runner,
          procedure: this.#procedure,
          evaluate: (expression) => this.#expressions.evaluate(expression),
        });
        return 'normal';
      case 'exit':
      case 'continue':
        return statement.when === undefined || (await this.#expressions.isTrue(statement.when))
          ? statement.kind
          : 'normal';
      case 'while':
        return this.#runWhile(statement, protect);
      case 'for_range':
        return this.#runRange(statement, protect);
      case 'for_query':
        return this.#runQueryLoop(statement, protect);
    }
  }

  async #runIf(statement: BlockStatement & { kind: 'if' }, protect: boolean): Promise<Ending> {
    for (const branch of statement.branches) {
      if (await this.#expressions.isTrue(branch.condition)) {
        return this.#runAll(branch.body, protect);
      }
    }
    return this.#runAll(statement.otherwise, protect);
  }

  async #runWhile(statement: BlockStatement & { kind: 'while' }, protect: boolean): Promise<Ending> {
    while (statement.condition === undefined || (await this.#expressions.isTrue(statement.condition))) {
      await this.#pace.next();
      const ending = await this.#runAll(statement.body, protect);
      if (ending === 'exit' || ending === 'return') {
        return ending === 'exit' ? 'normal' : ending;
      }
    }
    return 'normal';
  }

  async #runRange(statement: BlockStatement & { kind: 'for_range' }, protect: boolean): Promise<Ending> {
    const low = Number((await this.#expressions.evaluate(statement.low)).value);
    const high = Number((await this.#expressions.evaluate(statement.high)).value);
    for (let index = low; index <= high; index += 1) {
      await this.#pace.next();
      const target = { source: 'variable', name: statement.index } as const;
      this.frame.assign(target, { value: index, type: { kind: 'NUMBER' } });
      const ending = await this.#runAll(statement.body, protect);
      if (ending === 'exit' || ending === 'return') {
        return ending === 'exit' ? 'normal' : ending;
      }
    }
    return 'normal';
  }

  async #runQueryLoop(statement: BlockStatement & { kind: 'for_query' }, protect: boolean): Promise<Ending> {
    const query = this.#compiledSql(statement.query);
    const outcome = await this.#run(query, protect);
    for (const row of outcome.rows) {
      await this.#pace.next();
      for (const [index, column] of query.columns.entries()) {
        this.frame.set(`${statement.record}$${column.name}`, row[index] ?? null);
      }
      const ending = await this.#runAll(statement.body, protect);
      if (ending === 'exit' || ending === 'return') {
        return ending === 'exit' ? 'normal' : ending;
      }
    }
    return 'normal';
  }

  async #runSql(sql: EmbeddedSql, protect: boolean): Promise<void> {
    const statement = this.#compiledSql(sql);
    this.frame.rowCount = 0;
    const outcome = await this.#run(statement, protect);
    const rows = statement.kind === 'query' ? outcome.rows.length : outcome.rowsAffected;
    if (statement.kind === 'query' && rows === 0) {
      throw new OracleError(1403, 'no data found');
    }
    if (statement.into.length > 0 && rows > 1) {
      throw new OracleError(1422, 'exact fetch returns more than the requested number of rows');
    }
    this.frame.rowCount = rows;
    this.#assignRow(statement.into, outcome);
  }

  #assignRow(into: TranslatedStatement['into'], outcome: StatementOutcome): void {
    const [row] = outcome.rows;
    if (row === undefined) {
      return;
    }
    for (const [index, { target, name }] of into.entries()) {
      const destination: Target = { source: target, name };
      this.frame.assign(destination, { value: row[index] ?? null, type: outcome.columns[index]?.type });
    }
  }

  async #raiseApplicationError(number: BlockExpression, message: BlockExpression): Promise<never> {
    const code = Number((await this.#expressions.evaluate(number)).value);
    const text = String((await this.#expressions.evaluate(message)).value ?? '');
    if (!Number.isInteger(code) || code > -20_000 || code < -20_999) {
      throw new OracleError(
        21000,
        `error number argument to raise_application_error of ${code} is out of range`,
      );
    }
    throw new OracleError(-code, text);
  }

  /** DDL or DML without binds; DDL commits, also what the block did before. */
  async #executeImmediate(text: string, protect: boolean): Promise<void> {
    const statement = await this.#runner.translate(text, new Map(), new Map());
    if (statement.kind === 'ddl') {
      await this.#runner.runDdl(statement);
    } else if (statement.kind === 'dml' && statement.into.length === 0) {
      this.frame.rowCount = (await this.#run(statement, protect)).rowsAffected;
    } else {
      throw new OracleError(3001, `unimplemented feature: EXECUTE IMMEDIATE of ${statement.verb}`);
    }
  }

  #compiledSql(sql: EmbeddedSql): TranslatedStatement {
    const statement = this.#compiled.statements.get(sql);
    if (statement === undefined) {
      throw new OracleError(900, 'invalid SQL statement');
    }
    return statement;
  }

  #run(statement: TranslatedStatement, protect: boolean): Promise<StatementOutcome> {
    return this.#runner.run(statement, this.frame.valueOf, protect);
  }
}

function withLine(error: OracleError, line: number): OracleError {
  const text = error.message.slice(error.message.indexOf(': ') + 2);
  return new OracleError(error.number, `${text}\nORA-06512: at line ${line}`, { cause: error });
}
