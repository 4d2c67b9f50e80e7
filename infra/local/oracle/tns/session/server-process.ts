import type { OracleEngine } from '../../engine/oracle-engine.ts';
import { ConnectionCutError } from '../../ords/connection-cut-error.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import { runsStatement } from '../messages/execute-request.ts';
import {
  handshakeAnswer,
  readFastAuthentication,
  writeDataTypes,
  writeProtocol,
} from '../messages/handshake.ts';
import { CALL, MESSAGE } from '../messages/message-type.ts';
import { writeOutcome, writeStatus } from '../messages/outcome-message.ts';
import { readPiggyback } from '../messages/piggyback.ts';
import { writeSessionReturn } from '../messages/session-return.ts';
import type { FaultedCall, TnsFault, TnsFaults } from '../tns-faults.ts';
import { DataReader } from '../wire/data-reader.ts';
import { DataWriter } from '../wire/data-writer.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { DatabaseSession } from './database-session.ts';
import { Login, type TnsService } from './login.ts';
import { type Ending, withFault } from './with-fault.ts';

/** What a message is answered with. */
export interface Answer {
  /** Undefined for a message that has no answer. */
  readonly bytes: Buffer | undefined;
  /** The server ends the connection after it, or, for a test, in the middle of it. */
  readonly closes: 'after' | 'within' | undefined;
}

export interface ServerProcessOptions {
  readonly engine: OracleEngine;
  readonly service: TnsService;
  readonly faults: TnsFaults;
  readonly sessionId: number;
  /** The newer handshake: answers end with a message that says so. */
  readonly endsResponses: boolean;
}

/** Errors after which the session is gone, so that the server ends the connection. */
const FATAL: ReadonlySet<number> = new Set([28, 31, 600, 603, 1012, 1017, 1089, 1092, 2396, 3113, 3135]);
const CLOSES = { answered: undefined, unanswered: undefined, fatal: 'after', cut: 'within' } as const;
const FAULTED: Readonly<Record<number, FaultedCall>> = {
  [CALL.authenticate]: 'login',
  [CALL.execute]: 'execute',
  [CALL.reexecute]: 'execute',
  [CALL.reexecuteAndFetch]: 'execute',
  [CALL.fetch]: 'fetch',
  [CALL.commit]: 'commit',
  [CALL.rollback]: 'rollback',
  [CALL.ping]: 'ping',
  [CALL.lobOperation]: 'lob',
};

/** What Oracle calls a dedicated server process: it answers the messages of one connection, one after another. */
export class ServerProcess {
  readonly #options: ServerProcessOptions;
  readonly #login: Login;
  #session: DatabaseSession | undefined;
  #isReleased = false;

  constructor(options: ServerProcessOptions) {
    this.#options = options;
    this.#login = new Login(options.service, options.sessionId);
  }

  /**
   * Answers a message. Throws `MalformedMessageError` for one that cannot be read, and `ConnectionCutError` where a test
   * wants the connection to end; the connection ends then without an answer.
   *
   * @param interruption aborted with ORA-01013 when the client does not want the answer any more
   */
  async answer(message: Buffer, interruption: AbortSignal): Promise<Answer> {
    const handshake = handshakeAnswer(message);
    if (handshake !== undefined) {
      return { bytes: handshake, closes: undefined };
    }
    this.#session?.beginAnswer();
    const reader = new DataReader(message);
    const writer = new DataWriter();
    const isFast = reader.peek() === MESSAGE.fastAuthentication;
    if (isFast) {
      reader.uint8();
      const clientTypes = readFastAuthentication(reader);
      writeProtocol(writer);
      writeDataTypes(writer, clientTypes);
    }
    if (this.#isReleased) {
      this.#isReleased = false;
      writeSessionReturn(writer, this.#options.sessionId);
    }
    const start = writer.length;
    try {
      const ending = await this.#answerCall(reader, writer, isFast, interruption);
      return {
        bytes: ending === 'unanswered' ? undefined : this.#finish(writer),
        closes: CLOSES[ending],
      };
    } catch (error) {
      const told = toldError(error);
      writer.rewind(start);
      writeOutcome(writer, { hasOpenTransaction: this.#hasOpenTransaction, error: told });
      return { bytes: this.#finish(writer), closes: FATAL.has(told.number) ? 'after' : undefined };
    }
  }

  /** Interrupts the call that runs. */
  cancel(): void {
    this.#session?.cancel();
  }

  /** The client did not get the answer to its last call. */
  forgetAnswer(): void {
    this.#session?.forgetAnswer();
  }

  /** The answer to a call that the client interrupted. */
  interrupted(error: OracleError): Buffer {
    const writer = new DataWriter();
    writeOutcome(writer, { hasOpenTransaction: this.#hasOpenTransaction, error });
    return this.#finish(writer);
  }

  /** Rolls back what is open. */
  async close(): Promise<void> {
    this.cancel();
    await this.#session?.close();
  }

  get #hasOpenTransaction(): boolean {
    return this.#session?.hasOpenTransaction ?? false;
  }

  async #answerCall(
    reader: DataReader,
    writer: DataWriter,
    isFast: boolean,
    interruption: AbortSignal,
  ): Promise<Ending> {
    for (;;) {
      const type = reader.uint8();
      const code = reader.uint8();
      reader.uint8();
      if (!isFast) {
        reader.integer();
      }
      switch (type) {
        case MESSAGE.piggyback:
          this.#session?.applyPiggyback(readPiggyback(code, reader));
          break;
        case MESSAGE.oneWayCall:
          await this.#session?.release();
          this.#isReleased = true;
          return 'unanswered';
        case MESSAGE.call: {
          return withFault(this.#takeFault(code, reader), interruption, () =>
            this.#call(code, reader, writer, interruption),
          );
        }
        default:
          throw new MalformedMessageError(`a message of type ${type}`);
      }
    }
  }

  #takeFault(code: number, reader: DataReader): TnsFault | undefined {
    const isDefine = code === CALL.execute && !runsStatement(reader);
    const call = isDefine ? 'define' : FAULTED[code];
    return call === undefined ? undefined : this.#options.faults.take(call);
  }

  async #call(
    code: number,
    reader: DataReader,
    writer: DataWriter,
    interruption: AbortSignal,
  ): Promise<Ending> {
    if (this.#session !== undefined) {
      const error = await this.#session.call(code, reader, writer, interruption);
      return error !== undefined && FATAL.has(error.number) ? 'fatal' : 'answered';
    }
    const settings = this.#login.call(code, reader, writer);
    if (settings !== undefined) {
      this.#session = new DatabaseSession(this.#options.engine, settings);
    }
    writeStatus(writer, false);
    return 'answered';
  }

  #finish(writer: DataWriter): Buffer {
    if (this.#options.endsResponses) {
      writer.uint8(MESSAGE.endOfResponse);
    }
    return writer.finish();
  }
}

/** What a client gets to read. ORA-00600 for what is no error of Oracle: a fault of the emulator. */
function toldError(error: unknown): OracleError {
  if (error instanceof OracleError) {
    return error;
  }
  if (error instanceof MalformedMessageError || error instanceof ConnectionCutError) {
    throw error;
  }
  const text = error instanceof Error ? error.message : String(error);
  return new OracleError(600, `internal error code, arguments: [emulator], [${text}]`, { cause: error });
}
