import { OracleError } from '../../sql/oracle-error.ts';
import { LOCATOR_BYTES } from '../values/lob-locator.ts';
import type { DataReader } from '../wire/data-reader.ts';
import { CALL } from './message-type.ts';

/** What travels in front of a call, without an answer of its own. */
export type Piggyback =
  | { readonly kind: 'close_cursors' | 'cancel_cursors'; readonly cursorIds: readonly number[] }
  | { readonly kind: 'free_lobs'; readonly locators: readonly Buffer[] }
  | { readonly kind: 'set_schema'; readonly schema: string }
  /** Client identifier, module, action: the emulator has no view that shows them. */
  | { readonly kind: 'end_to_end' };

/** Reads a piggyback after its header. ORA-03001 for one that the emulator does not know. */
export function readPiggyback(code: number, reader: DataReader): Piggyback {
  switch (code) {
    case CALL.closeCursors:
      return { kind: 'close_cursors', cursorIds: readCursorIds(reader) };
    case CALL.cancelCursors:
      return { kind: 'cancel_cursors', cursorIds: readCursorIds(reader) };
    case CALL.lobOperation:
      return { kind: 'free_lobs', locators: readFreedLobs(reader) };
    case CALL.setSchema:
      reader.uint8();
      return { kind: 'set_schema', schema: reader.textWithCount() };
    case CALL.endToEnd:
      skipEndToEnd(reader);
      return { kind: 'end_to_end' };
    default:
      throw new OracleError(3001, `unimplemented feature: piggyback ${code} of the client protocol`);
  }
}

function readCursorIds(reader: DataReader): readonly number[] {
  reader.uint8();
  return Array.from({ length: reader.integer() }, () => reader.integer());
}

function readFreedLobs(reader: DataReader): readonly Buffer[] {
  reader.uint8();
  const bytes = reader.integer();
  reader.uint8();
  reader.skipIntegers(3);
  reader.bytes(3);
  reader.integer();
  reader.uint8();
  reader.skipIntegers(3);
  reader.uint8();
  for (let index = 0; index < 3; index += 1) {
    reader.uint8();
    reader.integer();
  }
  return Array.from({ length: bytes / LOCATOR_BYTES }, () => reader.bytes(LOCATOR_BYTES));
}

/** Flags, then for each attribute a pointer and a length; the texts that were told follow. */
function skipEndToEnd(reader: DataReader): void {
  reader.bytes(2);
  reader.integer();
  const lengths: number[] = [];
  const readLengths = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      reader.uint8();
      lengths.push(reader.integer());
    }
  };
  readLengths(4);
  reader.uint8();
  reader.integer();
  readLengths(1);
  reader.uint8();
  reader.integer();
  reader.uint8();
  reader.integer();
  readLengths(1);
  for (const length of lengths) {
    if (length > 0) {
      reader.value();
    }
  }
}
