import { OracleError } from '../../sql/oracle-error.ts';
import { LOB_OPERATION, type LobRequest } from '../messages/lob-request.ts';
import { MESSAGE } from '../messages/message-type.ts';
import { decodeCharacters } from '../values/bind-decoding.ts';
import { encodeCharacters } from '../values/value-encoding.ts';
import { CHARACTER_FORM, DATA_TYPE } from '../wire/data-type.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import type { SessionLob, SessionLobs } from './session-lobs.ts';

const CHUNK = 8_132;
const UTF8 = 873;

/** Runs an operation on a LOB and writes its results. ORA-03001 for one that the emulator does not have. */
export function runLobOperation(request: LobRequest, writer: DataWriter, lobs: SessionLobs): void {
  if (request.operation === LOB_OPERATION.createTemporary) {
    createTemporary(request, writer, lobs);
    return;
  }
  const lob = lobs.find(request.locator);
  const amount = operate(request, lob, writer);
  writer.uint8(MESSAGE.parameter).bytes(request.locator);
  if (request.amount !== undefined) {
    writer.integer(amount);
  }
  if (request.operation === LOB_OPERATION.isOpen) {
    writer.uint8(0);
  }
}

function createTemporary(request: LobRequest, writer: DataWriter, lobs: SessionLobs): void {
  const isBinary = request.destinationOffset === DATA_TYPE.blob;
  const locator = lobs.add(isBinary ? Buffer.alloc(0) : '', true);
  writer.uint8(MESSAGE.parameter).bytes(locator).integer(UTF8).uint8(0);
}

/** The amount that the client gets back. */
function operate(request: LobRequest, lob: SessionLob, writer: DataWriter): number {
  const start = Math.max(request.sourceOffset - 1, 0);
  switch (request.operation) {
    case LOB_OPERATION.length:
      return lob.value.length;
    case LOB_OPERATION.chunkSize:
      return CHUNK;
    case LOB_OPERATION.read:
      return read(lob, start, request.amount ?? 0, writer);
    case LOB_OPERATION.write:
      write(lob, start, request.data);
      return request.amount ?? 0;
    case LOB_OPERATION.trim:
      trim(lob, request.amount ?? 0);
      return request.amount ?? 0;
    case LOB_OPERATION.open:
    case LOB_OPERATION.close:
    case LOB_OPERATION.isOpen:
      return 0;
    default:
      throw new OracleError(3001, `unimplemented feature: LOB operation ${request.operation}`);
  }
}

function read({ value }: SessionLob, start: number, amount: number, writer: DataWriter): number {
  const piece =
    typeof value === 'string' ? value.slice(start, start + amount) : value.subarray(start, start + amount);
  if (piece.length > 0) {
    const bytes = typeof piece === 'string' ? encodeCharacters(piece, CHARACTER_FORM.national) : piece;
    writer.uint8(MESSAGE.lobData).value(bytes);
  }
  return piece.length;
}

function write(lob: SessionLob, start: number, data: Buffer): void {
  checkWritable(lob);
  if (typeof lob.value === 'string') {
    const text = decodeCharacters(data, CHARACTER_FORM.national);
    const before = lob.value.slice(0, start).padEnd(start, ' ');
    lob.value = before + text + lob.value.slice(start + text.length);
  } else {
    const before = Buffer.alloc(start);
    lob.value.copy(before);
    lob.value = Buffer.concat([before, data, lob.value.subarray(start + data.length)]);
  }
}

function trim(lob: SessionLob, length: number): void {
  checkWritable(lob);
  lob.value = typeof lob.value === 'string' ? lob.value.slice(0, length) : lob.value.subarray(0, length);
}

/** A LOB of a table could be changed through its locator in Oracle; not here. */
function checkWritable(lob: SessionLob): void {
  if (!lob.isTemporary) {
    throw new OracleError(3001, 'unimplemented feature: writing to a LOB that was fetched');
  }
}
