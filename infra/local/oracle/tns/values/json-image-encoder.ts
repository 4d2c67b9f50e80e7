import { OracleError } from '../../sql/oracle-error.ts';
import { CONTAINER, FLAG, MAGIC, NODE, VERSION } from './json-image-format.ts';
import { encodeNumber } from './number-encoding.ts';

const MAXIMUM_NAME_BYTES = 255;
const WIDE_FLAGS =
  FLAG.nameCount32 | FLAG.names32 | FLAG.tree32 | FLAG.hash8 | FLAG.tinyNodes | FLAG.inlineLeaves;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * JSON text as OSON, with 32-bit lengths throughout. Numbers have the digits that JavaScript has, as in the driver.
 * ORA-03001: a field name over 255 bytes.
 */
export function encodeJson(text: string): Buffer {
  const value: Json = JSON.parse(text);
  if (typeof value !== 'object' || value === null) {
    const node = encodeNode(value, 0, new Map());
    return Buffer.concat([header(FLAG.scalar | FLAG.inlineLeaves | FLAG.tree32), uint32(node.length), node]);
  }
  const names = [...collectNames(value, new Set())].map(fieldName).toSorted(compareNames);
  const ids = new Map(names.map(({ name }, index) => [name, index + 1]));
  const tree = encodeNode(value, 0, ids);
  const segment = names.map(({ bytes }) => Buffer.concat([Buffer.from([bytes.length]), bytes]));
  let offset = 0;
  const offsets = segment.map((name) => {
    const start = offset;
    offset += name.length;
    return uint32(start);
  });
  const sizes = [names.length, offset, tree.length].map(uint32);
  const hashes = Buffer.from(names.map(({ hash }) => hash));
  return Buffer.concat([header(WIDE_FLAGS), ...sizes, Buffer.alloc(2), hashes, ...offsets, ...segment, tree]);
}

function header(flags: number): Buffer {
  const bytes = Buffer.alloc(MAGIC.length + 3);
  MAGIC.copy(bytes);
  bytes.writeUInt8(VERSION.shortNames, MAGIC.length);
  bytes.writeUInt16BE(flags, MAGIC.length + 1);
  return bytes;
}

function collectNames(value: Json, names: Set<string>): Set<string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        names.add(name);
      }
      collectNames(child, names);
    }
  }
  return names;
}

interface FieldName {
  readonly name: string;
  readonly bytes: Buffer;
  readonly hash: number;
}

function fieldName(name: string): FieldName {
  const bytes = Buffer.from(name, 'utf8');
  if (bytes.length > MAXIMUM_NAME_BYTES) {
    throw new OracleError(3001, 'unimplemented feature: a JSON field name over 255 bytes in binary form');
  }
  // FNV-1a, of which the lowest byte is kept.
  const hash = bytes.reduce((sum, byte) => Math.imul(sum ^ byte, 16_777_619), 0x811c9dc5);
  return { name, bytes, hash: hash & 0xff };
}

function compareNames(left: FieldName, right: FieldName): number {
  return left.hash - right.hash || left.bytes.length - right.bytes.length || left.bytes.compare(right.bytes);
}

/** @param start where the node is in the tree */
function encodeNode(value: Json, start: number, ids: ReadonlyMap<string, number>): Buffer {
  switch (typeof value) {
    case 'string':
      return encodeText(value);
    case 'number': {
      const number = encodeNumber(String(value));
      return Buffer.concat([Buffer.from([NODE.number, number.length]), number]);
    }
    case 'boolean':
      return Buffer.from([value ? NODE.true : NODE.false]);
    default:
      return value === null ? Buffer.from([NODE.null]) : encodeContainer(value, start, ids);
  }
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const start = bytes.length < 256 ? [NODE.text8, bytes.length] : [NODE.text32, ...uint32(bytes.length)];
  return Buffer.concat([Buffer.from(start), bytes]);
}

function encodeContainer(
  value: Exclude<Json, null | boolean | number | string>,
  start: number,
  ids: ReadonlyMap<string, number>,
): Buffer {
  const isArray = Array.isArray(value);
  const entries = Object.entries<Json>(value);
  const type = (isArray ? NODE.array : NODE.object) | CONTAINER.offsets32 | CONTAINER.count32;
  const names = isArray ? [] : entries.map(([name]) => uint32(ids.get(name) ?? 0));
  let position = start + 5 + 4 * (names.length + entries.length);
  const offsets: Buffer[] = [];
  const children = entries.map(([, child]) => {
    offsets.push(uint32(position));
    const node = encodeNode(child, position, ids);
    position += node.length;
    return node;
  });
  return Buffer.concat([Buffer.from([type]), uint32(entries.length), ...names, ...offsets, ...children]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
