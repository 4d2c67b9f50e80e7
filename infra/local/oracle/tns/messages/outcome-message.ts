import type { DataWriter } from '../wire/data-writer.ts';
import { MESSAGE } from './message-type.ts';

const OPEN_TRANSACTION = 2;
const MAXIMUM_OFFSET = 0x7fff;

/** An error as the client gets to read it; every `OracleError` is one. */
export interface ToldError {
  readonly number: number;
  readonly message: string;
  readonly offset?: number | undefined;
}

/** One row of an array execution that failed. */
export interface BatchError {
  readonly row: number;
  readonly error: ToldError;
}

/** How a call ended. */
export interface Outcome {
  readonly hasOpenTransaction: boolean;
  /** Absent: it succeeded. */
  readonly error?: ToldError | undefined;
  readonly cursorId?: number;
  /** Rows changed or fetched. */
  readonly rowCount?: number;
  readonly batchErrors?: readonly BatchError[] | undefined;
}

/** Ends a call that has no cursor and did not fail. */
export function writeStatus(writer: DataWriter, hasOpenTransaction: boolean): void {
  writer.uint8(MESSAGE.status).integers(hasOpenTransaction ? OPEN_TRANSACTION : 0, 0);
}

/** Ends a call with Oracle's error block, which also stands for success. */
export function writeOutcome(writer: DataWriter, outcome: Outcome): void {
  const { error, cursorId = 0, rowCount = 0, batchErrors = [] } = outcome;
  const number = error?.number ?? 0;
  writer.uint8(MESSAGE.error);
  writer.integers(outcome.hasOpenTransaction ? OPEN_TRANSACTION : 0, 0, 0, number, 0, 0, cursorId);
  writer.integer(offsetOf(error));
  writer.bytes(Buffer.alloc(6));
  writeRowId(writer);
  writer.integer(0).uint8(0).uint8(0).integers(0, 0, 0);
  writeBatchErrors(writer, batchErrors);
  writer.integers(number, rowCount, 0, 0);
  if (error !== undefined) {
    writer.text(error.message);
  }
}

function offsetOf(error: ToldError | undefined): number {
  const offset = error?.offset ?? 0;
  return offset > MAXIMUM_OFFSET ? 0 : offset;
}

function writeRowId(writer: DataWriter): void {
  writer.integers(0, 0).uint8(0).integers(0, 0);
}

function writeBatchErrors(writer: DataWriter, errors: readonly BatchError[]): void {
  writer.integer(errors.length);
  if (errors.length > 0) {
    writer.uint8(1).integers(...errors.map(({ error }) => error.number));
  }
  writer.integer(errors.length);
  if (errors.length > 0) {
    writer.uint8(1).integers(...errors.map(({ row }) => row));
  }
  writer.integer(errors.length);
  if (errors.length > 0) {
    writer.uint8(1);
    for (const { error } of errors) {
      writer.integer(Buffer.byteLength(error.message)).text(error.message).bytes(Buffer.alloc(2));
    }
  }
}
