import { expect } from 'vitest';
import { AgentMemoryError, type ErrorCode } from '../../lib/errors/agent-memory-error.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { CreateThreadRequest } from '../../lib/schemas/thread.ts';

/** A client on a store that other cases use too, and ids that are this case's own. */
export interface MemoryStage {
  readonly memory: AgentMemoryApi;
  id(name: string): string;
}

/** One thing that the API must do, in the process and over HTTP. */
export type MemoryCase = (stage: MemoryStage) => Promise<void>;

/** A thread of this case's user and agent that extracts nothing unless asked to. */
export function plainThread(
  { memory, id }: MemoryStage,
  request: Partial<CreateThreadRequest> = {},
): Promise<ThreadApi> {
  return memory.createThread({
    threadId: id('thread'),
    userId: id('user'),
    agentId: id('agent'),
    extraction: { extractMemories: false },
    ...request,
  });
}

/** Expects an `AgentMemoryError` of this code and, with `path`, an issue at that field. */
export async function expectError(work: Promise<unknown>, code: ErrorCode, path?: string): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!AgentMemoryError.is(error)) throw new Error(`Expected ${code}, got ${String(error)}`);
  expect({ code: error.code, message: error.message }).toMatchObject({ code });
  if (path !== undefined) expect(error.issues.map((issue) => issue.path)).toContain(path);
}
