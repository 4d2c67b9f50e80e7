import type { EngineQueue } from './engine-queue.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** Rows and pages written before the tables are looked at. */
const CHECK_AMOUNT = 500;
/** From here on maintenance takes its turn like a session, also while others wait. */
const URGENT_AMOUNT = 8 * CHECK_AMOUNT;
/** How long nobody must have used the engine before dead rows are removed, which takes longest. */
const QUIET_MILLISECONDS = 50;

/**
 * Tables that changed by more than 1,000 rows and a fifth of their size. Large values are stored apart, in pieces, so
 * their dead pieces count as dead rows.
 */
const CHANGED_TABLES = `
SELECT quote_ident(c.relname),
  c.reltuples < 0 AND s.n_live_tup > 0 OR s.n_mod_since_analyze > 1000 + 0.2 * greatest(c.reltuples, 0),
  s.n_dead_tup > 1000 + 0.2 * s.n_live_tup
    OR coalesce(l.n_dead_tup, 0) > 1000 + 0.2 * coalesce(l.n_live_tup, 0)
FROM pg_stat_user_tables s
JOIN pg_class c ON c.oid = s.relid
LEFT JOIN pg_stat_all_tables l ON l.relid = c.reltoastrelid
WHERE s.schemaname = 'public'`;

/**
 * Keeps the planner's statistics and removes dead rows: PostgreSQL leaves both to a background process, which PGlite
 * lacks. It works between transactions, one table at a time, and lets everyone who waits go first.
 */
export class TableMaintenance {
  readonly #connection: PostgresConnection;
  readonly #queue: EngineQueue;
  readonly #running: Set<Promise<unknown>>;
  /** Something may be left to do: a directory may come from a process that was killed before it got to it. */
  #isPending = true;
  #isScheduled = false;
  #quietTimer: NodeJS.Timeout | undefined;

  constructor(connection: PostgresConnection, queue: EngineQueue, running: Set<Promise<unknown>>) {
    this.#connection = connection;
    this.#queue = queue;
    this.#running = running;
  }

  /** Called when a session gives the engine back; the work starts after its answer has left. */
  afterTurn(): void {
    this.#quietTimer?.refresh();
    const amount = this.#connection.amountWritten;
    if (amount >= URGENT_AMOUNT) {
      this.#start(() => this.#queue.acquire(), false);
    } else if ((amount >= CHECK_AMOUNT || this.#isPending) && !this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#start(() => this.#queue.acquireIfIdle(), false);
      });
    }
  }

  close(): void {
    clearTimeout(this.#quietTimer);
  }

  #start(acquire: () => Promise<void> | undefined, isQuiet: boolean): void {
    if (this.#queue.isClosed) {
      return;
    }
    const turn = acquire();
    if (turn === undefined) {
      return;
    }
    this.#isPending = false;
    const isUrgent = this.#connection.takeAmountWritten() >= URGENT_AMOUNT;
    const work = turn
      .then(() => this.#maintain(isQuiet || isUrgent).finally(() => this.#queue.release()))
      // A table that cannot be maintained is a table that the next statement on it reports.
      .catch(() => undefined)
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #maintain(vacuums: boolean): Promise<void> {
    // Counts reach the views when the statement that asks for it has ended.
    await this.#connection.run('SELECT pg_stat_force_next_flush()');
    const { rows } = await this.#connection.run(CHANGED_TABLES);
    for (const [table, isChanged, hasDeadRows] of rows) {
      if (this.#queue.isAwaited && !vacuums) {
        this.#isPending = true;
        return;
      }
      if (vacuums && hasDeadRows === 't') {
        await this.#connection.control(`VACUUM (ANALYZE) ${table}`);
      } else if (isChanged === 't') {
        await this.#connection.control(`ANALYZE ${table}`);
      }
    }
    if (!vacuums && rows.some(([, , hasDeadRows]) => hasDeadRows === 't')) {
      this.#vacuumWhenQuiet();
    }
  }

  #vacuumWhenQuiet(): void {
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(() => {
      this.#quietTimer = undefined;
      this.#start(() => this.#queue.acquireIfIdle(), true);
    }, QUIET_MILLISECONDS);
    this.#quietTimer.unref();
  }
}
