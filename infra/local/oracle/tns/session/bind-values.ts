import type { EngineBind, OracleValue } from '../../engine/oracle-engine.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { bindType, isLong, readBind } from '../values/bind-decoding.ts';
import type { DataReader } from '../wire/data-reader.ts';
import { DATA_TYPE, type WireType } from '../wire/data-type.ts';
import type { Cursor } from './cursor.ts';
import type { SessionLobs } from './session-lobs.ts';
import type { Placeholder } from './statement-text.ts';

/** Values of one execution, by the index of the placeholder. */
export type BindRow = ReadonlyMap<number, OracleValue>;

/** A statement as the engine takes it. */
export interface BoundStatement {
  readonly text: string;
  readonly binds: readonly EngineBind[];
}

/** ORA-01008: the client bound another number of values than the statement has places. */
export function checkBindCount({ statement, binds }: Cursor): void {
  if (statement.placeholders.length !== binds.length) {
    throw new OracleError(1008, 'not all variables bound');
  }
}

/**
 * Reads the values of one execution. What the statement only writes is not sent in SQL, nor when a block runs again;
 * outside of a block, long values come after the others.
 */
export function readBindRow(
  reader: DataReader,
  cursor: Cursor,
  isAgain: boolean,
  lobs: SessionLobs,
): BindRow {
  const { kind, placeholders } = cursor.statement;
  const inBlock = kind === 'block';
  const sent = placeholders.flatMap((place, index) => {
    const wire = cursor.binds[index];
    const isSent = place.isInput || (inBlock && !isAgain);
    return wire === undefined || !isSent ? [] : [{ index, wire }];
  });
  const ordered = inBlock
    ? sent
    : [...sent.filter(({ wire }) => !isLong(wire)), ...sent.filter(({ wire }) => isLong(wire))];
  return new Map(ordered.map(({ index, wire }) => [index, readBind(reader, wire, lobs)]));
}

/** The binds by name. A name that has several values in SQL gets a name for each place. */
export function bindStatement(cursor: Cursor, row: BindRow): BoundStatement {
  const { text, placeholders, kind } = cursor.statement;
  const binds = new Map<string, EngineBind>();
  let renamed = '';
  let copied = 0;
  for (const [index, place] of placeholders.entries()) {
    const bind = engineBind(place, cursor.binds[index], row.get(index) ?? null, kind === 'block');
    const known = binds.get(bind.name);
    if (known === undefined || isSame(known, bind)) {
      binds.set(bind.name, bind);
      continue;
    }
    const name = freeName(binds, placeholders);
    binds.set(name, { ...bind, name });
    renamed += `${text.slice(copied, place.offset)}:${name}`;
    copied = place.end;
  }
  return { text: renamed + text.slice(copied), binds: [...binds.values()] };
}

function engineBind(
  { name, isInput, isOutput, takesLong }: Placeholder,
  wire: WireType | undefined,
  value: OracleValue,
  inBlock: boolean,
): EngineBind {
  if (wire === undefined) {
    throw new OracleError(1008, `not all variables bound (:${name})`);
  }
  const type = isOutput && inBlock ? outputType(wire) : bindType(wire, inBlock, takesLong);
  const direction = isOutput ? (isInput ? 'inout' : 'out') : 'in';
  return { name, type, direction, value };
}

/** An OUT text of a block has the room that the client has, so that a longer value is ORA-06502. */
function outputType(wire: WireType): OracleType {
  const type = bindType(wire, true);
  return type.kind === 'VARCHAR2' && wire.type !== DATA_TYPE.long
    ? { ...type, length: Math.min(wire.size, type.length) }
    : type;
}

function isSame(left: EngineBind, right: EngineBind): boolean {
  const { value } = left;
  const isEqual =
    value instanceof Uint8Array && right.value instanceof Uint8Array
      ? Buffer.from(value).equals(right.value)
      : Object.is(value, right.value);
  return isEqual && left.type.kind === right.type.kind && left.direction === right.direction;
}

function freeName(binds: ReadonlyMap<string, EngineBind>, placeholders: readonly Placeholder[]): string {
  const taken = new Set([...binds.keys(), ...placeholders.map((place) => place.name)]);
  let number = 1;
  while (taken.has(`BIND_${number}`)) {
    number += 1;
  }
  return `BIND_${number}`;
}
