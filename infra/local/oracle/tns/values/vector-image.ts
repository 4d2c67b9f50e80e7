import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { decodeDouble, decodeFloat, encodeDouble, encodeFloat } from './binary-number-encoding.ts';

type VectorType = Extract<OracleType, { kind: 'VECTOR' }>;

const MAGIC = 0xdb;
const HEADER_BYTES = 9;
const NORM_BYTES = 8;
const FLAG = { norm: 0x02, normReserved: 0x10, sparse: 0x20 } as const;
/** Numbers of the formats on the wire. */
const FORMAT = { FLOAT32: 2, FLOAT64: 3, INT8: 4, BINARY: 5 } as const;
const ELEMENT_BYTES: Readonly<Record<number, number>> = { 2: 4, 3: 8, 4: 1 };

/** The number of a vector's format; 0 for a column that takes any. */
export function formatNumber(format: VectorType['format']): number {
  return format === '*' ? 0 : FORMAT[format];
}

/** A dense vector as the text that the engine takes. ORA-03001 for sparse and binary vectors. */
export function decodeVector(image: Buffer): string {
  if (image.length < HEADER_BYTES || image.readUInt8() !== MAGIC) {
    throw new MalformedMessageError('a vector that is none');
  }
  const flags = image.readUInt16BE(2);
  const format = image.readUInt8(4);
  const size = ELEMENT_BYTES[format];
  if ((flags & FLAG.sparse) !== 0 || size === undefined) {
    throw new OracleError(3001, 'unimplemented feature: sparse and binary vectors');
  }
  const start = HEADER_BYTES + ((flags & FLAG.norm) === 0 ? 0 : NORM_BYTES);
  const count = image.readUInt32BE(5);
  if (start + count * size > image.length) {
    throw new MalformedMessageError('a vector with too few elements');
  }
  const elements: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const offset = start + index * size;
    elements.push(decodeElement(image.subarray(offset, offset + size), format));
  }
  return `[${elements.join(',')}]`;
}

function decodeElement(bytes: Buffer, format: number): number {
  if (format === FORMAT.INT8) {
    return bytes.readInt8();
  }
  return format === FORMAT.FLOAT64 ? decodeDouble(bytes) : decodeFloat(bytes);
}

/** A vector in the engine's text as an image in the format of its column; FLOAT32 where the column takes any. */
export function encodeVector(text: string, format: VectorType['format']): Buffer {
  const elements = text.slice(1, -1).split(',').map(Number);
  const name = format === '*' ? 'FLOAT32' : format;
  const header = Buffer.alloc(HEADER_BYTES + NORM_BYTES);
  header.writeUInt8(MAGIC);
  header.writeUInt16BE(FLAG.norm | FLAG.normReserved, 2);
  header.writeUInt8(FORMAT[name], 4);
  header.writeUInt32BE(elements.length, 5);
  return Buffer.concat([header, ...elements.map(ENCODE[name])]);
}

const ENCODE = {
  FLOAT32: encodeFloat,
  FLOAT64: encodeDouble,
  INT8: (value: number) => Buffer.from(Int8Array.of(value).buffer),
} as const;
