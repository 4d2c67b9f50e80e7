import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { ddl } from '../translate/ddl.ts';
import type { TranslationParameter } from '../translate/translation.ts';
import { encodeValue } from './bind-encoding.ts';
import type { Catalog, CatalogChange } from './catalog.ts';
import { embedAndRun } from './embed-and-run.ts';
import { closedError } from './engine-queue.ts';
import { restoreLongNames } from './long-names.ts';
import type { EmbeddingModel, EngineColumn, FaultHooks, OracleValue } from './oracle-engine.ts';
import { toOracleError } from './oracle-error-mapping.ts';
import type { PostgresConnection, PostgresField, PostgresResult } from './postgres-connection.ts';
import { PostgresTransaction } from './postgres-transaction.ts';
import { decodeValue, oracleTypeOf } from './result-decoding.ts';
import type { RowPolicies } from './row-isolation/row-policies.ts';
import { SessionContext } from './row-isolation/session-context.ts';
import type { StatementTranslator, TranslatedStatement, TypesByName } from './statement-translator.ts';
import type { StoredCatalog } from './stored-catalog.ts';
import { untilCancelled } from './until-cancelled.ts';

/** What one statement gave. */
export interface StatementOutcome {
  readonly columns: readonly EngineColumn[];
  readonly rows: readonly (readonly OracleValue[])[];
  readonly rowsAffected: number;
}

/** The parts that every session of an engine shares. */
export interface EngineParts {
  readonly connection: PostgresConnection;
  readonly catalog: StoredCatalog;
  readonly translator: StatementTranslator;
  readonly models: ReadonlyMap<string, EmbeddingModel>;
  readonly policies: RowPolicies;
  readonly faults: FaultHooks;
  /** Aborted when the engine closes. */
  readonly stop: AbortSignal;
}

/** Gives the current value of a bind or variable. */
export type ValueSource = (parameter: TranslationParameter) => OracleValue | undefined;

const NO_ROWS: StatementOutcome = { columns: [], rows: [], rowsAffected: 0 };

/** Runs translated statements of one session. */
export class StatementRunner {
  readonly #parts: EngineParts;
  readonly transaction: PostgresTransaction;
  /** Application contexts of the session. */
  readonly context = new SessionContext();
  /** Aborted when the call that runs now is interrupted; its reason is ORA-01013. */
  cancellation: AbortSignal = new AbortController().signal;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.transaction = new PostgresTransaction(parts.connection, () => parts.policies.forget());
  }

  get catalog(): Catalog {
    return this.#parts.catalog;
  }

  /** ORA-01089 when the engine closes, ORA-01013 when the call was interrupted. */
  checkRunning(): void {
    if (this.#parts.stop.aborted) {
      throw closedError();
    }
    this.cancellation.throwIfAborted();
  }

  /**
   * Runs a query or DML statement. With `protect` a failure undoes only this statement; without it the caller undoes
   * everything (a block without exception handlers, which saves the savepoint).
   */
  async run(statement: TranslatedStatement, read: ValueSource, protect: boolean): Promise<StatementOutcome> {
    await this.#beforeStatement(statement.text);
    const wasOpen = this.transaction.open;
    const point = protect || !wasOpen ? await this.transaction.mark() : undefined;
    try {
      if (statement.needsTransaction) {
        await this.transaction.begin();
      }
      const outcome = await this.#runIsolated(statement, read);
      if (point !== undefined && wasOpen) {
        await this.transaction.keep(point);
      }
      return outcome;
    } catch (error) {
      if (point !== undefined) {
        await this.transaction.undo(point);
      }
      throw this.#toOracleError(error, statement);
    }
  }

  /**
   * Translates a statement. DDL commits what is open also when it fails, unless its text is no statement at all.
   */
  async translate(text: string, binds: TypesByName, variables: TypesByName): Promise<TranslatedStatement> {
    try {
      return this.#parts.translator.translate(text, binds, variables);
    } catch (error) {
      if (error instanceof OracleError && DDL.test(text) && !isSyntaxError(error)) {
        await this.commit();
      }
      throw error;
    }
  }

  /** Runs DDL: commits what is open, runs the statement in a transaction of its own and records its changes. */
  async runDdl(statement: TranslatedStatement): Promise<void> {
    await this.#beforeStatement(statement.text);
    await this.commit();
    const { connection, catalog, translator } = this.#parts;
    try {
      await this.transaction.begin();
      for (const step of statement.steps) {
        await connection.run(step.sql);
      }
      await catalog.store(connection, statement.changes);
      await this.transaction.commit();
    } catch (error) {
      await this.transaction.rollback();
      throw this.#toOracleError(error, statement);
    }
    catalog.apply(statement.changes);
    translator.forget();
    await connection.forgetStatements();
    await this.#parts.faults.afterCommit?.();
  }

  /** Changes objects outside a DDL statement, as some packages do; it commits like one. */
  async changeCatalog(
    verb: string,
    steps: readonly string[],
    changes: readonly CatalogChange[],
  ): Promise<void> {
    await this.runDdl({ ...ddl(verb, steps, changes), text: verb, needsTransaction: false });
  }

  /** ORA-01013 when the call was interrupted, also while a fault hook waits. */
  async #beforeStatement(text: string): Promise<void> {
    this.cancellation.throwIfAborted();
    const { faults } = this.#parts;
    if (faults.beforeStatement !== undefined) {
      await untilCancelled(faults.beforeStatement(text), this.cancellation);
    }
  }

  /** CTX_DDL.SYNC_INDEX: commits what is open, then lets the index know every row. */
  async syncTextIndex(name: string): Promise<void> {
    await this.commit();
    await this.transaction.begin();
    await this.#parts.connection.run('SELECT ora.ctx_sync($1)', [name]);
    await this.transaction.commit();
  }

  async commit(): Promise<void> {
    if (!this.transaction.open) {
      return;
    }
    try {
      await this.transaction.commit();
    } catch (error) {
      throw commitError(toOracleError(error, { verb: 'COMMIT' }));
    }
    await this.#parts.faults.afterCommit?.();
  }

  /** The types of a query's columns, asked from PostgreSQL where the translator cannot tell. */
  async columnTypes(statement: TranslatedStatement): Promise<readonly OracleType[]> {
    const [step] = statement.steps;
    const unknown = statement.columns.some((column) => column.type === undefined);
    const fields = unknown && step !== undefined ? await this.#describe(statement.verb, step.sql) : [];
    return statement.columns.map((column, index) => typeOf(column.type, fields[index]));
  }

  async #describe(verb: string, sql: string): Promise<readonly PostgresField[]> {
    const point = await this.transaction.mark();
    try {
      return await this.#parts.connection.describe(sql);
    } catch (error) {
      throw toOracleError(error, { verb });
    } finally {
      await this.transaction.undo(point);
    }
  }

  /**
   * With row policies PostgreSQL runs the statement as a role that they hold for. After a failure inside a transaction the
   * undoing takes the role back.
   */
  async #runIsolated(statement: TranslatedStatement, read: ValueSource): Promise<StatementOutcome> {
    const { policies } = this.#parts;
    if (!(await policies.enter(statement, this.context))) {
      return this.#runWithEmbeddings(statement, read);
    }
    try {
      const outcome = await this.#runWithEmbeddings(statement, read);
      await policies.leave();
      return outcome;
    } catch (error) {
      if (!this.transaction.open) {
        await policies.leave();
      }
      throw error;
    }
  }

  #toOracleError(error: unknown, { verb, text }: TranslatedStatement): unknown {
    return restoreLongNames(toOracleError(error, { verb }), text, this.#parts.catalog);
  }

  #runWithEmbeddings(statement: TranslatedStatement, read: ValueSource): Promise<StatementOutcome> {
    if (statement.textsToEmbed === undefined) {
      return this.#runSteps(statement, read);
    }
    const parts = { ...this.#parts, transaction: this.transaction };
    return embedAndRun(statement, read, parts, (source) => this.#runSteps(statement, source));
  }

  async #runSteps(statement: TranslatedStatement, read: ValueSource): Promise<StatementOutcome> {
    let outcome = NO_ROWS;
    let rowsAffected = 0;
    for (const step of statement.steps) {
      const values = step.parameters.map((parameter) => encodeValue(read(parameter), parameter.type));
      const result = await this.#parts.connection.run(step.sql, values);
      rowsAffected += result.rowCount;
      if (result.fields.length > 0) {
        outcome = decode(statement, result);
      }
    }
    return { ...outcome, rowsAffected: statement.kind === 'query' ? 0 : rowsAffected };
  }
}

const DDL = /^\s*(?:CREATE|ALTER|DROP|TRUNCATE|COMMENT)\b/i;
/** Numbers below 1000 that say something about the objects and not about the text. */
const OBJECT_ERRORS: ReadonlySet<number> = new Set([904, 942, 955, 957]);

function isSyntaxError({ number }: OracleError): boolean {
  return (number < 1000 && !OBJECT_ERRORS.has(number)) || number === 3001;
}

/** ORA-02091 when a deferred constraint is violated: the transaction is gone. */
function commitError(error: unknown): unknown {
  return error instanceof OracleError
    ? new OracleError(2091, `transaction rolled back\n${error.message}`, { cause: error })
    : error;
}

function decode(statement: TranslatedStatement, result: PostgresResult): StatementOutcome {
  const columns = result.fields.map((field, index) => {
    const known = statement.columns[index];
    return { name: known?.name ?? field.name, type: typeOf(known?.type, field), nullable: true };
  });
  const rows = result.rows.map((row) => decodeRow(row, result.fields));
  return { columns, rows, rowsAffected: result.rowCount };
}

function decodeRow(row: readonly (string | null)[], fields: readonly PostgresField[]): OracleValue[] {
  return fields.map((field, index) => decodeValue(row[index] ?? null, field));
}

function typeOf(known: OracleType | undefined, field: PostgresField | undefined): OracleType {
  return (
    known ?? (field === undefined ? { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' } : oracleTypeOf(field))
  );
}
