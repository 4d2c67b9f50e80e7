import { messages as kinds, type PGlite, protocol } from '@electric-sql/pglite';
import { rowsWithByteOrderMark } from './data-rows.ts';
import { PostgresError } from './postgres-error.ts';

const { serialize } = protocol;
const MAXIMUM_PREPARED = 500;
/** How much is sent between two looks at the size of the log. */
const LOG_CHECK_BYTES = 1_000_000;
const PAGE_BYTES = 8_192;
/** SQLSTATE of the warning that reports a text without a vector. */
const TEXT_TO_EMBED = 'OE001';
const MAXIMUM_LOG_BYTES = 32_000_000;

export interface PostgresField {
  readonly name: string;
  /** OID of the type. */
  readonly type: number;
  readonly modifier: number;
}

/** What one statement gave: every value as PostgreSQL's text, or null. */
export interface PostgresResult {
  readonly fields: readonly PostgresField[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** The number of the command tag: rows returned or changed. */
  readonly rowCount: number;
  /** INSERT, UPDATE, DELETE or MERGE. */
  readonly isWrite: boolean;
}

/** Messages that say what became of a statement; an error is thrown before. */
const OUTCOMES: ReadonlySet<string> = new Set(['commandComplete', 'noData', 'rowDescription', 'emptyQuery']);
const WRITES = /^(?:INSERT|UPDATE|DELETE|MERGE)\b/;

type ProtocolAnswer = Awaited<ReturnType<PGlite['execProtocol']>>;

/**
 * PGlite spoken to in PostgreSQL's wire protocol. Each text is prepared once under its own name, so a repeated
 * statement costs one message (0.05 ms instead of 0.37 ms with `PGlite.query`). One call at a time: the engine queues.
 */
export class PostgresConnection {
  readonly #database: PGlite;
  readonly #prepared = new Map<string, string>();
  #nextName = 1;
  #bytesSent = 0;
  #checkpoint = '0/0';
  #amountWritten = 0;
  #reportedTexts: string[] = [];

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** How much was written since it was last taken: rows, and pages of large values. */
  get amountWritten(): number {
    return this.#amountWritten;
  }

  /** `amountWritten`, which then starts from 0. */
  takeAmountWritten(): number {
    const amount = this.#amountWritten;
    this.#amountWritten = 0;
    return amount;
  }

  /** What `ora.vector_embedding` has reported since this was last asked for. */
  takeReportedTexts(): readonly string[] {
    const texts = this.#reportedTexts;
    this.#reportedTexts = [];
    return texts;
  }

  /** Runs one statement with its values in text format. Throws `PostgresError`. */
  async run(sql: string, values: readonly (string | null)[] = []): Promise<PostgresResult> {
    const known = this.#prepared.get(sql);
    const name = known ?? `s${this.#nextName++}`;
    const parts = known === undefined ? [serialize.parse({ name, text: sql })] : [];
    parts.push(serialize.bind({ statement: name, values: [...values] }));
    parts.push(serialize.describe({ type: 'P' }), serialize.execute({}), serialize.sync());
    const answer = await this.#send(parts);
    const { messages } = answer;
    if (known === undefined && messages.some((message) => message.name === 'parseComplete')) {
      await this.#remember(sql, name);
    }
    const result = readResult(answer, sql);
    if (result.isWrite) {
      const bytes = parts.reduce((sum, part) => sum + part.length, 0);
      this.#amountWritten += result.rowCount + Math.floor(bytes / PAGE_BYTES);
    }
    return result;
  }

  /** Runs statements without values or results, such as `BEGIN`. */
  async control(sql: string): Promise<void> {
    readResult(await this.#send([serialize.query(sql)]), sql);
  }

  /** The result columns of a statement, without running it. */
  async describe(sql: string): Promise<readonly PostgresField[]> {
    const parts = [serialize.parse({ text: sql }), serialize.describe({ type: 'S' }), serialize.sync()];
    return readResult(await this.#send(parts), sql).fields;
  }

  /** Drops the prepared statements: DDL may have changed what they return. */
  async forgetStatements(): Promise<void> {
    this.#prepared.clear();
    await this.control('DEALLOCATE ALL');
  }

  /**
   * Writes a checkpoint when the log has become long. PostgreSQL leaves that to a background process, which PGlite
   * lacks: the log would grow for ever, and with it the time to recover after a crash. Not inside a transaction.
   */
  async limitLog(): Promise<void> {
    if (this.#bytesSent < LOG_CHECK_BYTES) {
      return;
    }
    this.#bytesSent = 0;
    const { rows } = await this.run(
      'SELECT pg_current_wal_insert_lsn(), pg_current_wal_insert_lsn() - $1::pg_lsn > $2::numeric',
      [this.#checkpoint, String(MAXIMUM_LOG_BYTES)],
    );
    const [position, isLong] = rows[0] ?? [];
    if (isLong === 't' && typeof position === 'string') {
      await this.control('CHECKPOINT');
      this.#checkpoint = position;
    }
  }

  async #remember(sql: string, name: string): Promise<void> {
    this.#prepared.set(sql, name);
    if (this.#prepared.size > MAXIMUM_PREPARED) {
      const [oldest] = this.#prepared;
      if (oldest !== undefined) {
        this.#prepared.delete(oldest[0]);
        await this.#send([serialize.close({ type: 'S', name: oldest[1] }), serialize.sync()]);
      }
    }
  }

  async #send(parts: readonly Uint8Array[]): Promise<ProtocolAnswer> {
    const options = { throwOnError: false, syncToFs: false };
    const message = Buffer.concat(parts);
    this.#bytesSent += message.length;
    const answer = await this.#database.execProtocol(message, options);
    for (const each of answer.messages) {
      if (each instanceof kinds.NoticeMessage && each.code === TEXT_TO_EMBED && each.message !== undefined) {
        this.#reportedTexts.push(each.message);
      }
    }
    return answer;
  }
}

function readResult({ messages, data }: ProtocolAnswer, sql: string): PostgresResult {
  let fields: readonly PostgresField[] = [];
  let rowCount = 0;
  let isWrite = false;
  const rows: (readonly (string | null)[])[] = [];
  for (const message of messages) {
    if (message instanceof kinds.DataRowMessage) {
      rows.push(message.fields);
    } else if (message instanceof kinds.DatabaseError) {
      throw new PostgresError(message, sql);
    } else if (message instanceof kinds.RowDescriptionMessage) {
      fields = message.fields.map((field) => ({
        name: field.name,
        type: field.dataTypeID,
        modifier: field.dataTypeModifier,
      }));
    } else if (message instanceof kinds.CommandCompleteMessage) {
      rowCount = Number(/\d+$/.exec(message.text)?.[0] ?? 0);
      isWrite = WRITES.test(message.text);
    }
  }
  if (!messages.some(({ name }) => OUTCOMES.has(name))) {
    // PGlite answers nothing when a recursion overflowed the stack of the JavaScript engine.
    throw new PostgresError({ message: 'stack depth limit exceeded', code: '54001' }, sql);
  }
  return { fields, rows: rowsWithByteOrderMark(data) ?? rows, rowCount, isWrite };
}
