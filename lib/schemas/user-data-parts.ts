import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { sha256Hex } from '../sha-256.ts';
import type { ExportedLine, ImportLines, UserDataLine } from './user-data.ts';

/** Bytes and lines of one request of a client: within the limits of every platform unless one line is longer. */
const PART_BYTES = 1024 * 1024 - 1024;
const PART_LINES = 5_000;

const encoder = new TextEncoder();

/**
 * Every line of an export, read answer by answer as they are asked for.
 *
 * @param readAnswer The lines of the answer at a cursor, a page after the other
 * @throws AgentMemoryError `unavailable` for an answer without its last line, which is not all of the export
 */
export async function* iterateExport(
  readAnswer: (cursor: string | undefined) => AsyncIterable<readonly ExportedLine[]>,
): AsyncGenerator<UserDataLine, void, undefined> {
  let cursor: string | undefined;
  do {
    let next: string | null | undefined;
    for await (const lines of readAnswer(cursor)) {
      for (const line of lines) {
        if ('type' in line) yield line;
        else next = line.nextCursor;
      }
    }
    if (next === undefined) {
      throw new AgentMemoryError(
        'unavailable',
        'the export broke off: the last line of an answer is missing',
      );
    }
    cursor = next ?? undefined;
  } while (cursor !== undefined);
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
