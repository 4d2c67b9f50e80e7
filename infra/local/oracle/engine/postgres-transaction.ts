import type { PostgresConnection } from './postgres-connection.ts';

/**
 * Inside a transaction PostgreSQL may keep a plan for other values. That halves what a write costs, most of which is
 * planning; searches, which run outside, stay with `force_custom_plan`.
 */
const BEGIN = 'BEGIN; SET LOCAL plan_cache_mode = auto';

/** A point that a failed block or statement is undone to. */
export interface UndoPoint {
  /** Name of the savepoint; undefined when nothing had been done yet, so that undoing is a rollback. */
  readonly savepoint: string | undefined;
  readonly generation: number;
}

/**
 * The transaction of one session, with Oracle's rules on top of PostgreSQL's: a failed statement undoes itself and
 * not the transaction, which PostgreSQL needs savepoints for. Nothing is begun before the first change.
 */
export class PostgresTransaction {
  readonly #connection: PostgresConnection;
  readonly #undone: () => void;
  #open = false;
  #generation = 0;
  #nextSavepoint = 1;

  /** @param undone called when something that PostgreSQL was told has been taken back */
  constructor(connection: PostgresConnection, undone: () => void) {
    this.#connection = connection;
    this.#undone = undone;
  }

  get open(): boolean {
    return this.#open;
  }

  async begin(): Promise<void> {
    if (!this.#open) {
      await this.#connection.control(BEGIN);
      this.#open = true;
    }
  }

  /** Where a later `undo` returns to; costs nothing while no transaction is open. */
  async mark(): Promise<UndoPoint> {
    if (!this.#open) {
      return { savepoint: undefined, generation: this.#generation };
    }
    const savepoint = `p${this.#nextSavepoint++}`;
    await this.#connection.control(`SAVEPOINT ${savepoint}`);
    return { savepoint, generation: this.#generation };
  }

  /** Undoes what was done since the mark; what DDL has committed meanwhile stays. */
  async undo(point: UndoPoint): Promise<void> {
    if (!this.#open) {
      return;
    }
    this.#undone();
    if (point.savepoint === undefined || point.generation !== this.#generation) {
      await this.rollback();
    } else {
      await this.#connection.control(`ROLLBACK TO ${point.savepoint}; RELEASE ${point.savepoint}`);
    }
  }

  /** Forgets a mark that is no longer needed. */
  async keep(point: UndoPoint): Promise<void> {
    if (this.#open && point.savepoint !== undefined && point.generation === this.#generation) {
      await this.#connection.control(`RELEASE ${point.savepoint}`);
    }
  }

  async commit(): Promise<void> {
    await this.#end('COMMIT');
  }

  async rollback(): Promise<void> {
    await this.#end('ROLLBACK');
  }

  async #end(verb: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#open) {
      this.#open = false;
      this.#generation += 1;
      if (verb === 'ROLLBACK') this.#undone();
      await this.#connection.control(verb);
      await this.#connection.limitLog();
    }
  }
}
