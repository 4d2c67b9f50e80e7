import { OracleError } from '../../sql/oracle-error.ts';
import { DataReader } from '../wire/data-reader.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { readDouble, readFloat } from './binary-number-encoding.ts';
import { CONTAINER, FLAG, MAGIC, NODE, VERSION } from './json-image-format.ts';
import { decodeNumber } from './number-encoding.ts';

const MAXIMUM_DEPTH = 1_000;

/** OSON as JSON text. ORA-03001: dates, bytes and vectors, which JSON text has not. */
export function decodeJson(image: Buffer): string {
  const reader = new DataReader(image);
  if (!reader.bytes(MAGIC.length).equals(MAGIC)) {
    throw new MalformedMessageError('JSON that is none');
  }
  const version = reader.uint8();
  const flags = reader.uint16();
  const has = (flag: number) => (flags & flag) !== 0;
  if (has(FLAG.scalar)) {
    reader.bytes(has(FLAG.tree32) ? 4 : 2);
    return new Tree(rest(image, reader), [], 1, false).node(0, 0);
  }
  const idBytes = has(FLAG.nameCount32) ? 4 : has(FLAG.nameCount16) ? 2 : 1;
  const count = unsigned(reader.bytes(idBytes));
  const offsetBytes = has(FLAG.names32) ? 4 : 2;
  const segmentBytes = unsigned(reader.bytes(offsetBytes));
  if (version !== VERSION.shortNames) {
    throw new OracleError(3001, 'unimplemented feature: a JSON field name over 255 bytes in binary form');
  }
  reader.bytes((has(FLAG.tree32) ? 4 : 2) + 2);
  const names = readNames(reader, count, offsetBytes, segmentBytes);
  return new Tree(rest(image, reader), names, idBytes, has(FLAG.relativeOffsets)).node(0, 0);
}

function rest(image: Buffer, reader: DataReader): Buffer {
  return image.subarray(reader.position);
}

function readNames(
  reader: DataReader,
  count: number,
  offsetBytes: number,
  segmentBytes: number,
): readonly string[] {
  reader.bytes(count);
  const offsets = Array.from({ length: count }, () => unsigned(reader.bytes(offsetBytes)));
  const segment = reader.bytes(segmentBytes);
  return offsets.map((offset) => {
    const name = new DataReader(segment.subarray(offset));
    return name.bytes(name.uint8()).toString('utf8');
  });
}

/** The nodes of a document. */
class Tree {
  readonly #bytes: Buffer;
  readonly #names: readonly string[];
  readonly #idBytes: number;
  readonly #hasRelativeOffsets: boolean;

  constructor(bytes: Buffer, names: readonly string[], idBytes: number, hasRelativeOffsets: boolean) {
    this.#bytes = bytes;
    this.#names = names;
    this.#idBytes = idBytes;
    this.#hasRelativeOffsets = hasRelativeOffsets;
  }

  /** The JSON text of the node at an offset. */
  node(offset: number, depth: number): string {
    const reader = new DataReader(this.#bytes.subarray(offset));
    const type = reader.uint8();
    if (depth > MAXIMUM_DEPTH) {
      throw new OracleError(40_441, 'JSON syntax error: nested too deeply');
    }
    return (type & CONTAINER.is) === 0 ? scalar(type, reader) : this.#container(type, offset, reader, depth);
  }

  #container(type: number, offset: number, reader: DataReader, depth: number): string {
    const isArray = (type & CONTAINER.array) !== 0;
    const offsetBytes = (type & CONTAINER.offsets32) === 0 ? 2 : 4;
    const isShared = (type & CONTAINER.count) === CONTAINER.shared;
    const names = isShared
      ? this.#namesAt(unsigned(reader.bytes(offsetBytes)))
      : this.#readNames(type, reader, isArray);
    const children = names.map((name) => {
      const child = unsigned(reader.bytes(offsetBytes)) + (this.#hasRelativeOffsets ? offset : 0);
      const text = this.node(child, depth + 1);
      return isArray ? text : `${JSON.stringify(name)}:${text}`;
    });
    return isArray ? `[${children.join(',')}]` : `{${children.join(',')}}`;
  }

  #namesAt(offset: number): readonly string[] {
    const reader = new DataReader(this.#bytes.subarray(offset));
    return this.#readNames(reader.uint8(), reader, false);
  }

  #readNames(type: number, reader: DataReader, isArray: boolean): readonly string[] {
    const bits = type & CONTAINER.count;
    const countBytes = bits === CONTAINER.count32 ? 4 : bits === CONTAINER.count16 ? 2 : 1;
    const length = unsigned(reader.bytes(countBytes));
    if (length > this.#bytes.length) {
      throw new MalformedMessageError('JSON with more children than bytes');
    }
    return Array.from({ length }, () =>
      isArray ? '' : (this.#names[unsigned(reader.bytes(this.#idBytes)) - 1] ?? ''),
    );
  }
}

function scalar(type: number, reader: DataReader): string {
  switch (type) {
    case NODE.null:
      return 'null';
    case NODE.true:
      return 'true';
    case NODE.false:
      return 'false';
    case NODE.text8:
      return JSON.stringify(reader.bytes(reader.uint8()).toString('utf8'));
    case NODE.text16:
      return JSON.stringify(reader.bytes(reader.uint16()).toString('utf8'));
    case NODE.text32:
      return JSON.stringify(reader.bytes(unsigned(reader.bytes(4))).toString('utf8'));
    case NODE.number:
      return String(decodeNumber(reader.bytes(reader.uint8())));
    case NODE.double:
      return String(readDouble(reader.bytes(8)));
    case NODE.float:
      return String(readFloat(reader.bytes(4)));
    default:
      throw new OracleError(3001, `unimplemented feature: a JSON value of the binary type ${type}`);
  }
}

function unsigned(bytes: Buffer): number {
  return bytes.readUIntBE(0, bytes.length);
}
