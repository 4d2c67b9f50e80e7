import {
  type ExportedLines,
  type ExportUserRequest,
  USER_DATA_PARTS,
  USER_DATA_VERSION,
  type UserDataLine,
  type UserDataPosition,
  writeExportCursor,
} from '../schemas/user-data.ts';
import { createAnswerRoom, jsonBytes } from './answer-size.ts';
import type { MemoryContext } from './memory-context.ts';

const BEGIN: UserDataPosition = { part: USER_DATA_PARTS[0], after: 0, number: 0 };

/** The part behind another one. */
function partAfter({ part }: UserDataPosition): UserDataPosition | undefined {
  const next = USER_DATA_PARTS[USER_DATA_PARTS.indexOf(part) + 1];
  return next && { ...BEGIN, part: next };
}

/**
 * What is stored about a user and has not expired: threads with settings and running summary, messages, memories in every
 * status, the profile, retrieval texts, earlier forms of memories, each part in the order in which it was written. As much as
 * fits one answer; the last line is where the next one begins. What others write meanwhile makes nothing be left out. One
 * round trip for each of the four parts, more for a part that is longer than a page.
 */
export async function exportUser(
  context: MemoryContext,
  userId: string,
  { cursor = BEGIN, vectors = false }: ExportUserRequest,
): Promise<ExportedLines> {
  const room = createAnswerRoom();
  const lines: UserDataLine[] = cursor === BEGIN ? [headOf(context, userId)] : [];
  let position: UserDataPosition | undefined = cursor;
  while (position !== undefined) {
    const page = await context.store.exportUser({ ...position, userId, vectors }, { signal: context.signal });
    let last: UserDataPosition = position;
    for (const { line, position: reached } of page.lines) {
      if (!room.take(jsonBytes(line) + 1) && lines.length > 0) return answer(lines, last);
      lines.push(line);
      last = reached;
    }
    position = page.more ? last : partAfter(last);
  }
  return answer(lines, undefined);
}

function answer(lines: readonly UserDataLine[], next: UserDataPosition | undefined): ExportedLines {
  return { lines: [...lines, { nextCursor: next === undefined ? null : writeExportCursor(next) }] };
}

function headOf({ embedder, store }: MemoryContext, userId: string): UserDataLine {
  return {
    type: 'export',
    version: USER_DATA_VERSION,
    userId,
    embedderModel: embedder?.modelId ?? null,
    dimensions: store.dimensions,
  };
}
