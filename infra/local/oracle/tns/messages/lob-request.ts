import type { DataReader } from '../wire/data-reader.ts';
import { MESSAGE } from './message-type.ts';

/** Operations on LOBs. */
export const LOB_OPERATION = {
  length: 0x1,
  read: 0x2,
  trim: 0x20,
  write: 0x40,
  createTemporary: 0x110,
  chunkSize: 0x4000,
  open: 0x8000,
  close: 0x10000,
  isOpen: 0x11000,
} as const;

/** A call that reads or changes a LOB. Offsets count from 1, in characters or bytes. */
export interface LobRequest {
  /** One of `LOB_OPERATION`. */
  readonly operation: number;
  readonly locator: Buffer;
  readonly sourceOffset: number;
  /** Data type of a new temporary LOB. */
  readonly destinationOffset: number;
  readonly data: Buffer;
  /** Undefined when the client sent none; then the answer has none either. */
  readonly amount: number | undefined;
}

/** Reads the call after its header. */
export function readLobRequest(reader: DataReader): LobRequest {
  reader.uint8();
  const locatorBytes = reader.integer();
  reader.uint8();
  reader.skipIntegers(3);
  reader.bytes(3);
  const operation = reader.integer();
  reader.bytes(2);
  const sourceOffset = reader.integer();
  const destinationOffset = reader.integer();
  const hasAmount = reader.uint8() !== 0;
  reader.bytes(6);
  const locator = reader.bytes(locatorBytes);
  if (operation === LOB_OPERATION.createTemporary) {
    reader.integer();
  }
  let data: Buffer | null = null;
  if (!reader.isAtEnd && reader.peek() === MESSAGE.lobData) {
    reader.uint8();
    data = reader.value();
  }
  const amount = hasAmount ? reader.integer() : undefined;
  return { operation, locator, sourceOffset, destinationOffset, data: data ?? Buffer.alloc(0), amount };
}
