import type { EngineColumn } from '../../engine/oracle-engine.ts';
import { columnWireType } from '../values/column-type.ts';
import { formatNumber } from '../values/vector-image.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { MESSAGE } from './message-type.ts';

const UTF8 = 873;
const NO_SCALE = -127;
const JSON_FLAGS = { isJson: 0x100, isBinaryJson: 0x800 } as const;
const FLEXIBLE_DIMENSIONS = 1;

/** Directions of binds, as the server tells them. */
export const DIRECTION = { output: 16, input: 32, inputOutput: 48 } as const;

/** Describes the columns of a query. */
export function writeDescription(writer: DataWriter, columns: readonly EngineColumn[]): void {
  writer.uint8(MESSAGE.describe).uint8(0).integers(0, columns.length);
  if (columns.length > 0) {
    writer.uint8(0);
  }
  for (const [index, column] of columns.entries()) {
    writeColumn(writer, column, index + 1);
  }
  writer.integers(0, 0, 0, 0, 0, 0);
}

function writeColumn(writer: DataWriter, { name, type, nullable }: EngineColumn, position: number): void {
  const { type: number, form, size } = columnWireType(type);
  const { precision, scale } = precisionAndScale(type);
  writer.uint8(number).uint8(0).int8(precision).int8(scale);
  writer
    .integers(size, 0, 0, 0, 0, form === 0 ? 0 : UTF8)
    .uint8(form)
    .integers(size, 0);
  writer
    .uint8(nullable ? 1 : 0)
    .uint8(0)
    .textWithCount(name)
    .integers(0, 0, position);
  writer.integer(type.kind === 'JSON' ? JSON_FLAGS.isJson | JSON_FLAGS.isBinaryJson : 0);
  writer.integers(0, 0, 0);
  if (type.kind === 'VECTOR') {
    const { dimensions, format } = type;
    writer.integer(dimensions === '*' ? 0 : dimensions).uint8(formatNumber(format));
    writer.uint8(dimensions === '*' ? FLEXIBLE_DIMENSIONS : 0);
  } else {
    writer.integer(0).uint8(0).uint8(0);
  }
}

function precisionAndScale(type: EngineColumn['type']): {
  readonly precision: number;
  readonly scale: number;
} {
  if (type.kind === 'TIMESTAMP') {
    return { precision: 0, scale: type.precision };
  }
  if (type.kind !== 'NUMBER') {
    return { precision: 0, scale: 0 };
  }
  const { precision } = type;
  return precision === undefined ? { precision: 0, scale: NO_SCALE } : { precision, scale: type.scale ?? 0 };
}

/** Stands before the rows of an answer. */
export function writeRowHeader(writer: DataWriter): void {
  writer.uint8(MESSAGE.rowHeader).uint8(0).integers(0, 0, 0, 0, 0, 0);
}

/** Tells the direction of each bind; the values of OUT binds follow as rows. */
export function writeBindDirections(writer: DataWriter, directions: readonly number[]): void {
  const count = directions.length;
  writer
    .uint8(MESSAGE.bindDirections)
    .uint8(0)
    .integers(count % 256, Math.floor(count / 256));
  writer.integers(1, 0, 0, 0).bytes(Uint8Array.from(directions));
}

/** Rows changed by each iteration of an array execution; without counts, a parameter message that says nothing. */
export function writeIterationCounts(writer: DataWriter, counts: readonly number[]): void {
  writer.uint8(MESSAGE.parameter).integers(0, 0, 0, 0, counts.length, ...counts);
}
