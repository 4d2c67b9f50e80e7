import type { OracleEngine, OracleSession } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import { type ExecuteRequest, readExecute, readReexecute } from '../messages/execute-request.ts';
import { readLobRequest } from '../messages/lob-request.ts';
import { CALL } from '../messages/message-type.ts';
import { type ToldError, writeOutcome, writeStatus } from '../messages/outcome-message.ts';
import type { Piggyback } from '../messages/piggyback.ts';
import type { DataReader } from '../wire/data-reader.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { type Cursor, Cursors } from './cursor.ts';
import { runLobOperation } from './lob-calls.ts';
import { SessionLobs } from './session-lobs.ts';
import type { SessionSettings } from './session-settings.ts';
import { type CallResult, commit, fetchRows, runCursor } from './statement-calls.ts';

/** Not made anew for each answer: an error with its stack costs as much as a small query. */
const NO_DATA_FOUND: ToldError = { number: 1403, message: 'ORA-01403: no data found' };
const ERRORS_IN_ARRAY: ToldError = { number: 24381, message: 'ORA-24381: error(s) in array DML' };

/** The server's side of a session that is logged in: its cursors, LOBs and settings over a session of the engine. */
export class DatabaseSession {
  readonly #engine: OracleEngine;
  #session: OracleSession;
  readonly #cursors = new Cursors();
  #lobs = new SessionLobs();
  readonly #settings: SessionSettings;
  #newCursorId: number | undefined;

  constructor(engine: OracleEngine, settings: SessionSettings) {
    this.#engine = engine;
    this.#session = engine.openSession();
    this.#settings = settings;
  }

  get hasOpenTransaction(): boolean {
    return this.#session.hasOpenTransaction;
  }

  applyPiggyback(piggyback: Piggyback): void {
    switch (piggyback.kind) {
      case 'close_cursors':
        this.#cursors.close(piggyback.cursorIds);
        break;
      case 'cancel_cursors':
        this.#cursors.cancel(piggyback.cursorIds);
        break;
      case 'free_lobs':
        this.#lobs.free(piggyback.locators);
        break;
      case 'set_schema':
        this.#settings.setSchema(piggyback.schema);
        break;
      case 'end_to_end':
        break;
    }
  }

  /** Interrupts the call that runs. */
  cancel(): void {
    this.#session.cancel();
  }

  /** What was answered so far has reached the client. */
  beginAnswer(): void {
    this.#newCursorId = undefined;
  }

  /** Closes the cursor that the client would have got to know from the answer. */
  forgetAnswer(): void {
    if (this.#newCursorId !== undefined) {
      this.#cursors.close([this.#newCursorId]);
    }
  }

  /** Runs a call and writes its whole answer. An error of a statement is in the answer, and is given back. */
  async call(
    code: number,
    reader: DataReader,
    writer: DataWriter,
    interruption: AbortSignal,
  ): Promise<OracleError | undefined> {
    switch (code) {
      case CALL.execute:
        return this.#execute(readExecute(reader), reader, writer, interruption);
      case CALL.reexecute:
      case CALL.reexecuteAndFetch:
        return this.#execute(readReexecute(reader, code), reader, writer, interruption);
      case CALL.fetch:
        return this.#fetch(reader, writer);
      case CALL.lobOperation:
        runLobOperation(readLobRequest(reader), writer, this.#lobs);
        break;
      case CALL.commit:
        await commit(this.#session);
        break;
      case CALL.rollback:
        await this.#session.rollback();
        break;
      case CALL.ping:
      case CALL.logOff:
        break;
      default:
        throw new OracleError(3001, `unimplemented feature: call ${code} of the client protocol`);
    }
    writeStatus(writer, this.hasOpenTransaction);
    return undefined;
  }

  /** The session goes back to a pool of the server, and the client gets another one: only its settings stay. */
  async release(): Promise<void> {
    this.#cursors.clear();
    this.#lobs = new SessionLobs();
    await this.#session.close();
    this.#session = this.#engine.openSession();
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #execute(
    request: ExecuteRequest,
    reader: DataReader,
    writer: DataWriter,
    interruption: AbortSignal,
  ): Promise<OracleError | undefined> {
    const start = writer.length;
    const isNew = request.text !== undefined;
    const cursor = isNew ? this.#cursors.parse(request.text) : this.#cursors.find(request.cursorId);
    this.#newCursorId = isNew ? cursor.id : undefined;
    try {
      const result = await this.#run(cursor, request, reader, writer, interruption);
      const isKept = cursor.statement.kind !== 'ddl';
      if (!isKept) {
        this.#cursors.close([cursor.id]);
      }
      this.#finish(writer, isKept ? result : { ...result, cursorId: 0 });
      return undefined;
    } catch (error) {
      if (isNew) {
        this.#cursors.close([cursor.id]);
      }
      if (!(error instanceof OracleError)) {
        throw error;
      }
      writer.rewind(start);
      const { hasOpenTransaction } = this;
      writeOutcome(writer, { hasOpenTransaction, error, cursorId: isNew ? 0 : cursor.id });
      return error;
    }
  }

  async #run(
    cursor: Cursor,
    request: ExecuteRequest,
    reader: DataReader,
    writer: DataWriter,
    interruption: AbortSignal,
  ): Promise<CallResult> {
    cursor.binds = request.binds ?? cursor.binds;
    cursor.defines = request.defines ?? cursor.defines;
    if (request.runs) {
      const session = this.#session;
      const parts = { session, lobs: this.#lobs, settings: this.#settings, interruption };
      return runCursor(cursor, request, reader, writer, parts);
    }
    if (request.defines === undefined) {
      throw new OracleError(3001, 'unimplemented feature: parsing a statement without executing it');
    }
    return request.fetches
      ? fetchRows(cursor, request.prefetch, writer, this.#lobs)
      : { cursorId: cursor.id, rowCount: 0 };
  }

  #fetch(reader: DataReader, writer: DataWriter): undefined {
    const cursor = this.#cursors.find(reader.integer());
    this.#finish(writer, fetchRows(cursor, reader.integer(), writer, this.#lobs));
  }

  #finish(writer: DataWriter, { isAtEnd = false, batchErrors = [], ...result }: CallResult): void {
    const { hasOpenTransaction } = this;
    const error = isAtEnd ? NO_DATA_FOUND : batchErrors.length > 0 ? ERRORS_IN_ARRAY : undefined;
    writeOutcome(writer, { hasOpenTransaction, error, batchErrors, ...result });
  }
}
