import { OracleError } from '../../sql/oracle-error.ts';
import type { DataReader } from '../wire/data-reader.ts';
import type { WireType } from '../wire/data-type.ts';
import { CALL } from './message-type.ts';

const OPTION = { execute: 0x20, fetch: 0x40, commit: 0x100, batchErrors: 0x80000 } as const;
const COUNT_ITERATIONS = 0x4000;
const COMMIT_REEXECUTION = 0x1;
const ARRAY_BIND = 0x40;
const SETTINGS = { iterations: 1, flags: 9 } as const;
const SETTING_COUNT = 13;

/** A call that executes a statement; rows of bind values follow in the message. */
export interface ExecuteRequest {
  /** 0 for a new cursor. */
  readonly cursorId: number;
  /** The text of a new cursor. */
  readonly text: string | undefined;
  readonly runs: boolean;
  /** The short call for an open cursor, which sends no values for binds that a block only writes. */
  readonly isAgain: boolean;
  readonly fetches: boolean;
  readonly commits: boolean;
  /** Goes on after a failed iteration. */
  readonly collectsErrors: boolean;
  readonly countsIterations: boolean;
  /** Rows to send with the answer. */
  readonly prefetch: number;
  readonly iterations: number;
  /** Types of the binds, when they are new. */
  readonly binds: readonly WireType[] | undefined;
  /** Types that the columns shall be sent as, when they are new. */
  readonly defines: readonly WireType[] | undefined;
}

/** Whether the call that comes next runs a statement; it may only define the columns of an open cursor. */
export function runsStatement(reader: DataReader): boolean {
  return (reader.peekInteger() & OPTION.execute) !== 0;
}

/** Reads the call that parses, defines or executes, up to the rows of bind values. */
export function readExecute(reader: DataReader): ExecuteRequest {
  const options = reader.integer();
  const cursorId = reader.integer();
  const hasText = reader.uint8() !== 0;
  reader.integer();
  reader.uint8();
  reader.integer();
  reader.bytes(3);
  const prefetch = reader.integer();
  reader.integer();
  reader.uint8();
  const bindCount = reader.integer();
  reader.bytes(5);
  reader.uint8();
  const defineCount = reader.integer();
  skipUnused(reader);
  const text = hasText ? reader.text() : undefined;
  const settings = Array.from({ length: SETTING_COUNT }, () => reader.integer());
  const has = (option: number) => (options & option) !== 0;
  return {
    cursorId,
    text,
    prefetch,
    runs: has(OPTION.execute),
    isAgain: false,
    fetches: has(OPTION.fetch),
    commits: has(OPTION.commit),
    collectsErrors: has(OPTION.batchErrors),
    countsIterations: ((settings[SETTINGS.flags] ?? 0) & COUNT_ITERATIONS) !== 0,
    iterations: settings[SETTINGS.iterations] ?? 0,
    defines: defineCount === 0 ? undefined : readTypes(reader, defineCount),
    binds: bindCount === 0 ? undefined : readTypes(reader, bindCount),
  };
}

/** Registration, object lists, signatures: nothing that the emulator has. */
function skipUnused(reader: DataReader): void {
  reader.integer();
  reader.bytes(3);
  reader.integer();
  reader.uint8();
  reader.skipIntegers(2);
  reader.uint8();
  reader.integer();
  reader.uint8();
  reader.uint8();
  reader.integer();
  reader.uint8();
  reader.integer();
  reader.uint8();
  reader.uint8();
  reader.integer();
}

/** Reads the call that executes an open cursor again, up to the rows of bind values. */
export function readReexecute(reader: DataReader, code: number): ExecuteRequest {
  const andFetch = code === CALL.reexecuteAndFetch;
  const cursorId = reader.integer();
  const count = reader.integer();
  reader.integer();
  const flags = reader.integer();
  return {
    cursorId,
    text: undefined,
    runs: true,
    isAgain: true,
    fetches: andFetch,
    commits: !andFetch && (flags & COMMIT_REEXECUTION) !== 0,
    collectsErrors: false,
    countsIterations: false,
    prefetch: andFetch ? count : 0,
    iterations: andFetch ? 1 : count,
    binds: undefined,
    defines: undefined,
  };
}

function readTypes(reader: DataReader, count: number): readonly WireType[] {
  return Array.from({ length: count }, () => readType(reader));
}

function readType(reader: DataReader): WireType {
  const type = reader.uint8();
  const flags = reader.uint8();
  reader.bytes(2);
  const size = reader.integer();
  reader.skipIntegers(2);
  if (reader.integer() > 0) {
    reader.value();
  }
  reader.skipIntegers(2);
  const form = reader.uint8();
  reader.skipIntegers(2);
  if ((flags & ARRAY_BIND) !== 0) {
    throw new OracleError(3001, 'unimplemented feature: the emulator has no binds of index-by tables');
  }
  return { type, form, size };
}
