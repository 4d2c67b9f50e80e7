const LONG_LENGTH = 254;
const MAXIMUM_SHORT_LENGTH = 252;
const PIECE_BYTES = 65_536;
const START_BYTES = 512;

/** Writes the fields of a message. */
export class DataWriter {
  #bytes: Buffer = Buffer.allocUnsafe(START_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Drops what was written after a length. */
  rewind(length: number): void {
    this.#length = length;
  }

  /** What was written so far. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  bytes(bytes: Uint8Array): this {
    const start = this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
    return this;
  }

  uint8(value: number): this {
    const start = this.#reserve(1);
    this.#bytes.writeUInt8(value, start);
    return this;
  }

  int8(value: number): this {
    const start = this.#reserve(1);
    this.#bytes.writeInt8(value, start);
    return this;
  }

  uint16(value: number): this {
    const start = this.#reserve(2);
    this.#bytes.writeUInt16BE(value, start);
    return this;
  }

  uint16LittleEndian(value: number): this {
    const start = this.#reserve(2);
    this.#bytes.writeUInt16LE(value, start);
    return this;
  }

  /** An unsigned integer of variable length. */
  integer(value: number): this {
    if (value === 0) {
      return this.uint8(0);
    }
    if (value <= 0xff) {
      return this.uint8(1).uint8(value);
    }
    if (value <= 0xffff) {
      return this.uint8(2).uint16(value);
    }
    if (value <= 0xffff_ffff) {
      this.uint8(4);
      const start = this.#reserve(4);
      this.#bytes.writeUInt32BE(value, start);
      return this;
    }
    this.uint8(8);
    const start = this.#reserve(8);
    this.#bytes.writeBigUInt64BE(BigInt(value), start);
    return this;
  }

  integers(...values: readonly number[]): this {
    for (const value of values) {
      this.integer(value);
    }
    return this;
  }

  /** Bytes with their length, in pieces when they are many. No bytes are NULL. */
  value(bytes: Uint8Array): this {
    if (bytes.length <= MAXIMUM_SHORT_LENGTH) {
      return this.uint8(bytes.length).bytes(bytes);
    }
    this.uint8(LONG_LENGTH);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      this.integer(piece.length).bytes(piece);
    }
    return this.integer(0);
  }

  text(text: string): this {
    return this.value(Buffer.from(text, 'utf8'));
  }

  /** Text whose length is told twice. */
  textWithCount(text: string): this {
    const bytes = Buffer.from(text, 'utf8');
    this.integer(bytes.length);
    return bytes.length === 0 ? this : this.value(bytes);
  }

  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#length = needed;
    return start;
  }
}
