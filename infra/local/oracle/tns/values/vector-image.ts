import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { readDouble, readFloat, writeDouble, writeFloat } from './binary-number-encoding.ts';

type VectorType = Extract<OracleType, { kind: 'VECTOR' }>;

const MAGIC = 0xdb;
const HEADER_BYTES = 9;
const NORM_BYTES = 8;
const FLAG = { norm: 0x02, normReserved: 0x10, sparse: 0x20 } as const;
/** Numbers of the formats on the wire. */
const FORMAT = { FLOAT32: 2, FLOAT64: 3, INT8: 4 } as const;

/** How the elements of a format are read and written. */
interface ElementCodec {
  readonly bytes: number;
  read(image: Buffer, offset: number): number;
  write(image: Buffer, value: number, offset: number): void;
}

const CODECS: Readonly<Record<'FLOAT32' | 'FLOAT64' | 'INT8', ElementCodec>> = {
  FLOAT32: { bytes: 4, read: readFloat, write: writeFloat },
  FLOAT64: { bytes: 8, read: readDouble, write: writeDouble },
  INT8: {
    bytes: 1,
    read: (image, offset) => image.readInt8(offset),
    write: (image, value, offset) => image.writeInt8(value, offset),
  },
};
const BY_NUMBER: Readonly<Record<number, ElementCodec>> = {
  [FORMAT.FLOAT32]: CODECS.FLOAT32,
  [FORMAT.FLOAT64]: CODECS.FLOAT64,
  [FORMAT.INT8]: CODECS.INT8,
};

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
  const codec = BY_NUMBER[image.readUInt8(4)];
  if ((flags & FLAG.sparse) !== 0 || codec === undefined) {
    throw new OracleError(3001, 'unimplemented feature: sparse and binary vectors');
  }
  const start = HEADER_BYTES + ((flags & FLAG.norm) === 0 ? 0 : NORM_BYTES);
  const count = image.readUInt32BE(5);
  if (start + count * codec.bytes > image.length) {
    throw new MalformedMessageError('a vector with too few elements');
  }
  let text = '';
  for (let index = 0; index < count; index += 1) {
    text += `${index === 0 ? '' : ','}${codec.read(image, start + index * codec.bytes)}`;
  }
  return `[${text}]`;
}

/** A vector in the engine's text as an image in the format of its column; FLOAT32 where the column takes any. */
export function encodeVector(text: string, format: VectorType['format']): Buffer {
  const elements = text.slice(1, -1).split(',');
  const name = format === '*' ? 'FLOAT32' : format;
  const codec = CODECS[name];
  const start = HEADER_BYTES + NORM_BYTES;
  const image = Buffer.alloc(start + elements.length * codec.bytes);
  image.writeUInt8(MAGIC);
  image.writeUInt16BE(FLAG.norm | FLAG.normReserved, 2);
  image.writeUInt8(FORMAT[name], 4);
  image.writeUInt32BE(elements.length, 5);
  for (const [index, element] of elements.entries()) {
    codec.write(image, Number(element), start + index * codec.bytes);
  }
  return image;
}
