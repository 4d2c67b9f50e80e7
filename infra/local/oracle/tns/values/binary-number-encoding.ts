const SIGN = 0x80;

/** A BINARY_DOUBLE: IEEE 754 with its bits turned so that bytes sort as numbers do. */
export function encodeDouble(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleBE(value);
  return sortable(bytes);
}

/** A BINARY_FLOAT. */
export function encodeFloat(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeFloatBE(value);
  return sortable(bytes);
}

export function decodeDouble(bytes: Buffer): number {
  return plain(bytes).readDoubleBE();
}

export function decodeFloat(bytes: Buffer): number {
  return plain(bytes).readFloatBE();
}

function sortable(bytes: Buffer): Buffer {
  const first = bytes.readUInt8();
  return (first & SIGN) === 0 ? withFirst(bytes, first | SIGN) : complement(bytes);
}

function plain(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const first = copy.readUInt8();
  return (first & SIGN) !== 0 ? withFirst(copy, first & ~SIGN) : complement(copy);
}

function withFirst(bytes: Buffer, first: number): Buffer {
  bytes.writeUInt8(first);
  return bytes;
}

function complement(bytes: Buffer): Buffer {
  for (const [index, byte] of bytes.entries()) {
    bytes[index] = byte ^ 0xff;
  }
  return bytes;
}
