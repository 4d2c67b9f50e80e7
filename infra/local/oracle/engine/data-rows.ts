const DATA_ROW = 'D'.charCodeAt(0);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

type Row = readonly (string | null)[];

/**
 * The rows in an answer of the wire protocol, when some value may begin with U+FEFF: the package's own reader drops
 * that character. Undefined when no value does.
 */
export function rowsWithByteOrderMark(answer: Uint8Array): readonly Row[] | undefined {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  if (!bytes.includes(BYTE_ORDER_MARK)) {
    return undefined;
  }
  const rows: Row[] = [];
  // A message is a type of one byte, its length without that byte, and its content.
  for (let start = 0; start < bytes.length; start += 1 + bytes.readInt32BE(start + 1)) {
    if (bytes[start] === DATA_ROW) {
      rows.push(readRow(bytes, start + 5));
    }
  }
  return rows;
}

function readRow(bytes: Buffer, start: number): Row {
  let offset = start + 2;
  return Array.from({ length: bytes.readInt16BE(start) }, () => {
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (length < 0) {
      return null;
    }
    offset += length;
    return bytes.toString('utf8', offset - length, offset);
  });
}
