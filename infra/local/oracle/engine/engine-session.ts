import { OracleError } from '../sql/oracle-error.ts';
import { tokenize } from '../sql/tokenizer.ts';
import type { BlockCompiler } from './block/block-compiler.ts';
import { runBlock } from './block/run-block.ts';
import { checkBindNames, declaredTypes } from './declared-binds.ts';
import type { EngineQueue } from './engine-queue.ts';
import type { EngineBind, EngineResult, OracleSession, OracleValue } from './oracle-engine.ts';
import { type EngineParts, StatementRunner } from './statement-runner.ts';
import type { TranslatedStatement } from './statement-translator.ts';
import type { TableMaintenance } from './table-maintenance.ts';

export interface SessionParts extends EngineParts {
  readonly queue: EngineQueue;
  readonly blocks: BlockCompiler;
  /** Calls that use the connection now; closing waits for them. */
  readonly running: Set<Promise<unknown>>;
  readonly idleTransactionMilliseconds: number;
  readonly maintenance: TableMaintenance;
}

const EMPTY = { columns: [], rows: [], rowsAffected: 0, outBinds: {} } as const;

/** One session; calls run one after another, in the order they were made. */
export class EngineSession implements OracleSession {
  readonly #parts: SessionParts;
  readonly #runner: StatementRunner;
  #last: Promise<unknown> = Promise.resolve();
  #holdsEngine = false;
  #cancellation: AbortController | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #state: 'open' | 'expired' | 'closed' = 'open';

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#runner = new StatementRunner(parts);
  }

  get hasOpenTransaction(): boolean {
    return this.#runner.transaction.open;
  }

  execute(text: string, binds: readonly EngineBind[]): Promise<EngineResult> {
    return this.#exclusively(() => this.#execute(text, binds));
  }

  async commit(): Promise<void> {
    await this.#exclusively(() => this.#runner.commit());
  }

  async rollback(): Promise<void> {
    await this.#exclusively(() => this.#runner.transaction.rollback());
  }

  cancel(): void {
    this.#cancellation?.abort(new OracleError(1013, 'user requested cancel of current operation'));
  }

  async close(): Promise<void> {
    await this.#last;
    this.#state = 'closed';
    clearTimeout(this.#idleTimer);
    if (this.#holdsEngine && !this.#parts.queue.isClosed) {
      await this.#runner.transaction.rollback();
      this.#release();
    }
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => this.#cancellably(work));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #cancellably<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#cancellation = new AbortController();
    const { signal } = this.#cancellation;
    this.#runner.cancellation = signal;
    try {
      return await this.#withEngine(work, signal);
    } finally {
      this.#cancellation = undefined;
    }
  }

  async #withEngine<Result>(work: () => Promise<Result>, cancellation: AbortSignal): Promise<Result> {
    this.#checkUsable();
    clearTimeout(this.#idleTimer);
    if (!this.#holdsEngine) {
      await this.#parts.queue.acquire(cancellation);
      this.#holdsEngine = true;
    }
    const { running } = this.#parts;
    const call = work();
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
      this.#afterCall();
    }
  }

  #checkUsable(): void {
    this.#parts.queue.checkOpen();
    if (this.#state === 'expired') {
      this.#state = 'closed';
      throw new OracleError(2396, 'exceeded maximum idle time, please connect again');
    }
    if (this.#state === 'closed') {
      throw new OracleError(1012, 'not logged on');
    }
  }

  /** Keeps the engine while a transaction is open, but not for longer than the idle limit. */
  #afterCall(): void {
    if (this.#runner.transaction.open) {
      this.#idleTimer = setTimeout(() => this.#expire(), this.#parts.idleTransactionMilliseconds);
      this.#idleTimer.unref();
    } else {
      this.#release();
    }
  }

  #expire(): void {
    this.#state = 'expired';
    this.#last = this.#last
      .then(() => this.#runner.transaction.rollback())
      .catch(() => undefined)
      .finally(() => this.#release());
  }

  #release(): void {
    this.#holdsEngine = false;
    this.#parts.queue.release();
    this.#parts.maintenance.afterTurn();
  }

  async #execute(text: string, binds: readonly EngineBind[]): Promise<EngineResult> {
    const [first] = tokenize(text);
    if (first?.kind === 'word' && (first.value === 'BEGIN' || first.value === 'DECLARE')) {
      return this.#executeBlock(text, binds);
    }
    checkBindNames(text, binds);
    const statement = await this.#runner.translate(text, declaredTypes(binds), new Map());
    switch (statement.kind) {
      case 'commit':
        await this.#runner.commit();
        return { ...EMPTY, kind: 'commit', verb: statement.verb };
      case 'rollback':
        await this.#runner.transaction.rollback();
        return { ...EMPTY, kind: 'rollback', verb: statement.verb };
      case 'ddl':
        await this.#runner.runDdl(statement);
        return { ...EMPTY, kind: 'ddl', verb: statement.verb };
      default:
        return this.#executeStatement(statement, binds);
    }
  }

  async #executeStatement(
    statement: TranslatedStatement,
    binds: readonly EngineBind[],
  ): Promise<EngineResult> {
    if (statement.kind === 'query' && statement.into.length > 0) {
      throw new OracleError(905, 'missing keyword (SELECT … INTO outside a PL/SQL block)');
    }
    const values = new Map(binds.map((bind) => [bind.name, bind.value]));
    const outcome = await this.#runner.run(statement, (parameter) => values.get(parameter.name), true);
    if (statement.kind === 'query') {
      return { ...outcome, kind: 'query', verb: statement.verb, outBinds: {} };
    }
    const outBinds: Record<string, readonly OracleValue[]> = {};
    for (const [index, target] of statement.into.entries()) {
      outBinds[target.name] = outcome.rows.map((row) => row[index] ?? null);
    }
    const { rowsAffected } = outcome;
    return { ...EMPTY, kind: 'dml', verb: statement.verb, rowsAffected, outBinds };
  }

  async #executeBlock(text: string, binds: readonly EngineBind[]): Promise<EngineResult> {
    checkBindNames(text, binds);
    const block = await this.#parts.blocks.compile(text, declaredTypes(binds), this.#runner);
    const outBinds = await runBlock(block, binds, this.#runner, this.#parts.blocks);
    return { ...EMPTY, kind: 'plsql', verb: 'BLOCK', outBinds };
  }
}
