import { setImmediate } from 'node:timers/promises';
import type { OracleSession, OracleValue } from '../../engine/oracle-engine.ts';
import { ConnectionCutError } from '../../ords/connection-cut-error.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { ExecuteRequest } from '../messages/execute-request.ts';
import { MESSAGE } from '../messages/message-type.ts';
import type { BatchError } from '../messages/outcome-message.ts';
import {
  DIRECTION,
  writeBindDirections,
  writeDescription,
  writeIterationCounts,
} from '../messages/result-message.ts';
import { needsDefine } from '../values/column-type.ts';
import type { DataReader } from '../wire/data-reader.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { type BindRow, bindStatement, checkBindCount, readBindRow } from './bind-values.ts';
import type { Cursor } from './cursor.ts';
import { writeOutputRow } from './output-row.ts';
import { isSameShape, writeRows } from './query-rows.ts';
import type { SessionLobs } from './session-lobs.ts';
import { isAlterSession, type SessionSettings } from './session-settings.ts';

/** What a call gave, beside what it wrote. */
export interface CallResult {
  readonly cursorId: number;
  readonly rowCount: number;
  /** Every row of the query was sent. */
  readonly isAtEnd?: boolean;
  readonly batchErrors?: readonly BatchError[];
}

export interface StatementParts {
  readonly session: OracleSession;
  readonly lobs: SessionLobs;
  readonly settings: SessionSettings;
  /** Aborted when the client does not want the call any more. */
  readonly interruption: AbortSignal;
}

/** Errors of a commit that the session can tell; after any other the answer is lost. */
const TOLD_COMMIT_ERRORS: ReadonlySet<number> = new Set([1012, 1013, 1089, 2091, 2396]);
const CANCELLED = 1013;
const ITERATIONS_BETWEEN_PAUSES = 50;

/** Executes the statement of an open cursor and writes its results. */
export async function runCursor(
  cursor: Cursor,
  request: ExecuteRequest,
  reader: DataReader,
  writer: DataWriter,
  parts: StatementParts,
): Promise<CallResult> {
  checkBindCount(cursor);
  const rows = readBindRows(reader, cursor, request.isAgain, parts.lobs);
  if (cursor.statement.kind === 'ddl' && isAlterSession(cursor.statement.text)) {
    parts.settings.alter(cursor.statement.text);
    return { cursorId: cursor.id, rowCount: 0 };
  }
  parts.settings.checkTimeZone();
  return cursor.statement.kind === 'query'
    ? runQuery(cursor, request, rows[0] ?? new Map(), writer, parts)
    : runIterations(cursor, request, rows, writer, parts);
}

function readBindRows(
  reader: DataReader,
  cursor: Cursor,
  isAgain: boolean,
  lobs: SessionLobs,
): readonly BindRow[] {
  const rows: BindRow[] = [];
  while (reader.peek() === MESSAGE.rowData) {
    reader.uint8();
    rows.push(readBindRow(reader, cursor, isAgain, lobs));
  }
  return rows;
}

async function runQuery(
  cursor: Cursor,
  request: ExecuteRequest,
  row: BindRow,
  writer: DataWriter,
  parts: StatementParts,
): Promise<CallResult> {
  const { text, binds } = bindStatement(cursor, row);
  const { columns, rows } = await parts.session.execute(text, binds);
  if (cursor.columns !== undefined && !isSameShape(cursor.columns, columns)) {
    throw new OracleError(1007, 'variable not in select list');
  }
  cursor.columns = columns;
  cursor.open(rows);
  if (request.commits) {
    await commit(parts.session);
  }
  if (request.text !== undefined) {
    writeDescription(writer, columns);
  }
  const sends = request.fetches && (cursor.defines !== undefined || !columns.some(needsDefine));
  return sends
    ? fetchRows(cursor, request.prefetch, writer, parts.lobs)
    : { cursorId: cursor.id, rowCount: 0 };
}

/** Writes the next rows of a query. */
export function fetchRows(cursor: Cursor, count: number, writer: DataWriter, lobs: SessionLobs): CallResult {
  const rows = cursor.fetch(count);
  writeRows(writer, cursor, rows, lobs);
  return { cursorId: cursor.id, rowCount: cursor.fetched, isAtEnd: rows.length < count };
}

async function runIterations(
  cursor: Cursor,
  request: ExecuteRequest,
  rows: readonly BindRow[],
  writer: DataWriter,
  parts: StatementParts,
): Promise<CallResult> {
  const counts: number[] = [];
  const errors: BatchError[] = [];
  const iterations = Math.max(request.iterations, 1);
  if (rows.length > 0 && rows.length !== iterations) {
    throw new MalformedMessageError(`${rows.length} rows of values for ${iterations} executions`);
  }
  writeDirections(writer, cursor);
  for (let index = 0; index < iterations; index += 1) {
    try {
      await giveWay(index, parts.interruption);
      const { text, binds } = bindStatement(cursor, rows[index] ?? new Map<number, OracleValue>());
      const result = await parts.session.execute(text, binds);
      counts.push(result.rowsAffected);
      writeOutputRow(writer, cursor, result.outBinds, parts.lobs);
    } catch (error) {
      if (!request.collectsErrors || !(error instanceof OracleError) || error.number === CANCELLED) {
        throw error;
      }
      counts.push(0);
      errors.push({ row: index, error });
    }
  }
  parts.interruption.throwIfAborted();
  if (request.commits && errors.length === 0) {
    await commit(parts.session);
  }
  if (request.countsIterations) {
    writeIterationCounts(writer, counts);
  }
  const rowCount = counts.reduce((sum, count) => sum + count, 0);
  return { cursorId: cursor.id, rowCount, batchErrors: errors };
}

/** Lets the process read what has arrived from time to time: the engine works in this thread. */
async function giveWay(iteration: number, interruption: AbortSignal): Promise<void> {
  if (iteration % ITERATIONS_BETWEEN_PAUSES === ITERATIONS_BETWEEN_PAUSES - 1) {
    await setImmediate();
  }
  interruption.throwIfAborted();
}

function writeDirections(writer: DataWriter, { statement }: Cursor): void {
  if (statement.placeholders.some((place) => place.isOutput) || statement.kind === 'block') {
    const directions = statement.placeholders.map(({ isInput, isOutput }) =>
      isOutput ? (isInput ? DIRECTION.inputOutput : DIRECTION.output) : DIRECTION.input,
    );
    writeBindDirections(writer, directions);
  }
}

/** Throws `ConnectionCutError` when the work is committed and the answer is lost, which tests inject. */
export async function commit(session: OracleSession): Promise<void> {
  try {
    await session.commit();
  } catch (error) {
    if (error instanceof OracleError && TOLD_COMMIT_ERRORS.has(error.number)) {
      throw error;
    }
    throw new ConnectionCutError('the connection was lost after the commit', { cause: error });
  }
}
