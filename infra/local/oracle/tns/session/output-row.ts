import type { EngineResult, OracleValue } from '../../engine/oracle-engine.ts';
import { MESSAGE } from '../messages/message-type.ts';
import { bindType } from '../values/bind-decoding.ts';
import { writeValue } from '../values/value-encoding.ts';
import { DATA_TYPE, type WireType } from '../wire/data-type.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import type { Cursor } from './cursor.ts';
import type { SessionLobs } from './session-lobs.ts';

type OutBinds = EngineResult['outBinds'];

/** Writes the values of OUT binds of one execution: one each for a block, a list each for RETURNING … INTO. */
export function writeOutputRow(
  writer: DataWriter,
  { statement, binds }: Cursor,
  outBinds: OutBinds,
  lobs: SessionLobs,
): void {
  const outputs = statement.placeholders.flatMap(({ name, isOutput }, index) => {
    const wire = binds[index];
    return isOutput && wire !== undefined ? [{ value: outBinds[name] ?? null, wire }] : [];
  });
  if (outputs.length === 0) {
    return;
  }
  writer.uint8(MESSAGE.rowData);
  for (const { value, wire } of outputs) {
    if (statement.kind === 'block') {
      writeOutput(writer, isList(value) ? (value[0] ?? null) : value, wire, lobs);
    } else {
      const values = isList(value) ? value : [];
      writer.integer(values.length);
      for (const single of values) {
        writeOutput(writer, single, wire, lobs);
      }
    }
  }
}

/** A value, and how many bytes it has when the client has less room: the driver refuses it then. */
function writeOutput(writer: DataWriter, value: OracleValue, wire: WireType, lobs: SessionLobs): void {
  writeValue(writer, { value, type: bindType(wire, true) }, wire, lobs);
  const bytes = isText(wire) && typeof value === 'string' ? Buffer.byteLength(value) : 0;
  writer.integer(bytes > wire.size ? bytes : 0);
}

function isText({ type }: WireType): boolean {
  return type === DATA_TYPE.varchar || type === DATA_TYPE.char;
}

function isList(value: OutBinds[string]): value is readonly OracleValue[] {
  return Array.isArray(value);
}
