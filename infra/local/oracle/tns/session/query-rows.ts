import type { EngineColumn, EngineResult } from '../../engine/oracle-engine.ts';
import { MESSAGE } from '../messages/message-type.ts';
import { writeRowHeader } from '../messages/result-message.ts';
import { columnWireType } from '../values/column-type.ts';
import { writeValue } from '../values/value-encoding.ts';
import { DATA_TYPE, MAXIMUM_STRING_BYTES, type WireType } from '../wire/data-type.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import type { Cursor } from './cursor.ts';
import type { SessionLobs } from './session-lobs.ts';

/** Writes rows of a query in the types that the client defined. */
export function writeRows(
  writer: DataWriter,
  { columns = [], defines }: Cursor,
  rows: EngineResult['rows'],
  lobs: SessionLobs,
): void {
  if (rows.length === 0) {
    return;
  }
  const sent = columns.map(({ type }, index) => {
    const wire = defines?.[index] ?? columnWireType(type);
    return { type, wire, hasIndicator: hasIndicator(wire) };
  });
  writeRowHeader(writer);
  for (const row of rows) {
    writer.uint8(MESSAGE.rowData);
    for (const [index, { type, wire, hasIndicator }] of sent.entries()) {
      writeValue(writer, { value: row[index] ?? null, type }, wire, lobs);
      if (hasIndicator) {
        writer.integers(0, 0);
      }
    }
  }
}

/** A null indicator and a return code stand after each value of a column that is longer than a string of SQL. */
function hasIndicator({ type, size }: WireType): boolean {
  const isImage = type === DATA_TYPE.json || type === DATA_TYPE.vector;
  const isLong = type === DATA_TYPE.long || type === DATA_TYPE.longRaw;
  return isLong || (!isImage && size > MAXIMUM_STRING_BYTES);
}

/** A query gives again what it was described with; after DDL, or with a bind of another type, it may not. */
export function isSameShape(left: readonly EngineColumn[], right: readonly EngineColumn[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ name, type }, index) => {
      const other = right[index];
      return other?.name === name && columnWireType(other.type).type === columnWireType(type).type;
    })
  );
}
