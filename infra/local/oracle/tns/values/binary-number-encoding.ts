const SIGN = 0x8000_0000;

/**
 * A BINARY_DOUBLE at an offset: IEEE 754 with its bits turned so that bytes sort as numbers do. A positive number gets
 * its sign bit set, a negative one has all bits inverted.
 */
export function writeDouble(bytes: Buffer, value: number, offset = 0): void {
  bytes.writeDoubleBE(value, offset);
  const high = bytes.readUInt32BE(offset);
  if ((high & SIGN) === 0) {
    bytes.writeUInt32BE((high | SIGN) >>> 0, offset);
  } else {
    invert(bytes, offset);
    invert(bytes, offset + 4);
  }
}

/** A BINARY_FLOAT at an offset, in the same way. */
export function writeFloat(bytes: Buffer, value: number, offset = 0): void {
  bytes.writeFloatBE(value, offset);
  const bits = bytes.readUInt32BE(offset);
  bytes.writeUInt32BE(((bits & SIGN) === 0 ? bits | SIGN : ~bits) >>> 0, offset);
}

export function readDouble(bytes: Buffer, offset = 0): number {
  const plain = Buffer.from(bytes.subarray(offset, offset + 8));
  const high = plain.readUInt32BE();
  if ((high & SIGN) === 0) {
    invert(plain, 0);
    invert(plain, 4);
  } else {
    plain.writeUInt32BE(high & ~SIGN);
  }
  return plain.readDoubleBE();
}

const scratch = new DataView(new ArrayBuffer(4));

export function readFloat(bytes: Buffer, offset = 0): number {
  const bits = bytes.readUInt32BE(offset);
  scratch.setUint32(0, (bits & SIGN) === 0 ? ~bits : bits & ~SIGN);
  return scratch.getFloat32(0);
}

function invert(bytes: Buffer, offset: number): void {
  bytes.writeUInt32BE(~bytes.readUInt32BE(offset) >>> 0, offset);
}
