import {
  type ExportedLine,
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
 * fits one answer, page by page as they are asked for; the last line is where the next answer begins. What others write
 * meanwhile makes nothing be left out. One round trip for each of the four parts, more for a part that is longer than a page.
 */
export async function* exportUser(
  context: MemoryContext,
  userId: string,
  { cursor = BEGIN, vectors = false }: ExportUserRequest,
): AsyncGenerator<readonly ExportedLine[], void, undefined> {
  const room = createAnswerRoom();
  let lines: ExportedLine[] = cursor === BEGIN ? [headOf(context, userId)] : [];
  let isBegun = lines.length > 0;
  let position: UserDataPosition | undefined = cursor;
  while (position !== undefined) {
    const page = await context.store.exportUser({ ...position, userId, vectors }, { signal: context.signal });
    let last: UserDataPosition = position;
    for (const { line, position: reached } of page.lines) {
      if (!room.take(jsonBytes(line) + 1) && isBegun) {
        yield [...lines, { nextCursor: writeExportCursor(last) }];
        return;
      }
      lines.push(line);
      isBegun = true;
      last = reached;
    }
    position = page.more ? last : partAfter(last);
    if (position === undefined || lines.length === 0) continue;
    yield lines;
    lines = [];
  }
  yield [...lines, { nextCursor: null }];
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
