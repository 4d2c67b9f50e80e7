import { MalformedMessageError } from './malformed-message-error.ts';

const LONG_LENGTH = 254;
const NULL_LENGTH = 255;
const NEGATIVE = 0x80;

/** Reads the fields of a message that has arrived completely. Throws `MalformedMessageError` at its end. */
export class DataReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes that were read so far. */
  get position(): number {
    return this.#position;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  /** The next byte, which stays unread; undefined at the end. */
  peek(): number | undefined {
    return this.#bytes[this.#position];
  }

  bytes(count: number): Buffer {
    const end = this.#position + count;
    if (end > this.#bytes.length) {
      throw new MalformedMessageError(`${count} bytes expected, the message has ended`);
    }
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }

  uint8(): number {
    return this.bytes(1).readUInt8();
  }

  uint16(): number {
    return this.bytes(2).readUInt16BE();
  }

  /** An unsigned integer of variable length: its count of bytes, then the bytes. */
  integer(): number {
    const size = this.uint8();
    if (size > 8 || (size & NEGATIVE) !== 0) {
      throw new MalformedMessageError(`an integer of ${size} bytes`);
    }
    const value = this.bytes(size).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) {
      throw new MalformedMessageError('an integer over 53 bits');
    }
    return value;
  }

  /** The next integer, which stays unread. */
  peekInteger(): number {
    const start = this.#position;
    try {
      return this.integer();
    } finally {
      this.#position = start;
    }
  }

  /** Bytes with their length, in pieces when they are many. Null for a length of 0, which stands for NULL. */
  value(): Buffer | null {
    const length = this.uint8();
    if (length === 0 || length === NULL_LENGTH) {
      return null;
    }
    if (length !== LONG_LENGTH) {
      return this.bytes(length);
    }
    const pieces: Buffer[] = [];
    for (let size = this.integer(); size > 0; size = this.integer()) {
      pieces.push(this.bytes(size));
    }
    return Buffer.concat(pieces);
  }

  /** Text in UTF-8 with its length; empty for NULL. */
  text(): string {
    return this.value()?.toString('utf8') ?? '';
  }

  /** Text whose length is told twice; empty for none. */
  textWithCount(): string {
    return this.integer() === 0 ? '' : this.text();
  }

  skipIntegers(count: number): void {
    for (let index = 0; index < count; index += 1) {
      this.integer();
    }
  }
}
