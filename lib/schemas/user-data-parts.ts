import { sha256Hex } from '../sha-256.ts';
import type { ExportedLines, ImportLines, UserDataLine } from './user-data.ts';

/** Bytes and lines of one request of a client: within the limits of every platform unless one line is longer. */
const PART_BYTES = 1024 * 1024 - 1024;
const PART_LINES = 5_000;

const encoder = new TextEncoder();

/** Every line of an export, read answer by answer as they are asked for. */
export async function* iterateExport(
  readAnswer: (cursor: string | undefined) => Promise<ExportedLines>,
): AsyncGenerator<UserDataLine, void, undefined> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { lines }: ExportedLines = await readAnswer(cursor);
    cursor = null;
    for (const line of lines) {
      if ('type' in line) yield line;
      else cursor = line.nextCursor;
    }
  }
}

/** Lines in parts that one request each can carry. The first line of an export begins every part. */
export async function* splitImport(
  lines: Iterable<UserDataLine> | AsyncIterable<UserDataLine>,
): AsyncGenerator<ImportLines, void, undefined> {
  let head: UserDataLine[] = [];
  let part: UserDataLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    if (line.type === 'export') {
      head = [line];
      continue;
    }
    const added = encoder.encode(JSON.stringify(line)).length + 1;
    const isFull = bytes + added > PART_BYTES || part.length >= PART_LINES;
    if (isFull && part.length > 0) {
      yield { lines: [...head, ...part] };
      part = [];
      bytes = 0;
    }
    part.push(line);
    bytes += added;
  }
  if (part.length > 0) yield { lines: [...head, ...part] };
}

/** The idempotency key of a part of an import that has one. */
export async function keyOfPart(key: string | undefined, part: number): Promise<string | undefined> {
  return key === undefined ? undefined : sha256Hex(`${key}:${part}`);
}
