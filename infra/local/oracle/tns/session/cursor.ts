import type { EngineColumn, EngineResult } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { WireType } from '../wire/data-type.ts';
import { readStatementText, type StatementText } from './statement-text.ts';

const MAXIMUM_OPEN = 300;

type Rows = EngineResult['rows'];

/** A parsed statement of a session, with the rows of its query that were not fetched yet. */
export class Cursor {
  readonly id: number;
  readonly statement: StatementText;
  /** Types of the binds, one for each placeholder. */
  binds: readonly WireType[] = [];
  /** Types that the client wants the columns as; undefined: as described. */
  defines: readonly WireType[] | undefined;
  columns: readonly EngineColumn[] | undefined;
  #rows: Rows = [];
  #fetched = 0;

  constructor(id: number, statement: StatementText) {
    this.id = id;
    this.statement = statement;
  }

  get fetched(): number {
    return this.#fetched;
  }

  open(rows: Rows): void {
    this.#rows = rows;
    this.#fetched = 0;
  }

  /** The next rows; fewer than asked for at the end. */
  fetch(count: number): Rows {
    const rows = this.#rows.slice(this.#fetched, this.#fetched + count);
    this.#fetched += rows.length;
    if (rows.length < count) {
      this.#rows = [];
    }
    return rows;
  }

  /** Drops the rows that were not fetched. */
  cancel(): void {
    this.#rows = [];
    this.#fetched = 0;
  }
}

/** The open cursors of a session. */
export class Cursors {
  readonly #cursors = new Map<number, Cursor>();

  /** ORA-01000: too many are open. */
  parse(text: string): Cursor {
    if (this.#cursors.size >= MAXIMUM_OPEN) {
      throw new OracleError(1000, 'maximum open cursors exceeded');
    }
    let id = 1;
    while (this.#cursors.has(id)) {
      id += 1;
    }
    const cursor = new Cursor(id, readStatementText(text));
    this.#cursors.set(id, cursor);
    return cursor;
  }

  /** ORA-01001: it is not open. */
  find(id: number): Cursor {
    const cursor = this.#cursors.get(id);
    if (cursor === undefined) {
      throw new OracleError(1001, 'invalid cursor');
    }
    return cursor;
  }

  close(ids: readonly number[]): void {
    for (const id of ids) {
      this.#cursors.delete(id);
    }
  }

  cancel(ids: readonly number[]): void {
    for (const id of ids) {
      this.#cursors.get(id)?.cancel();
    }
  }

  clear(): void {
    this.#cursors.clear();
  }
}
