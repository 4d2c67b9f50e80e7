import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { runJob } from '../../lib/memory/extraction/run-job.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import { createRecordingQueue } from '../../lib/testing/index.ts';
import { createTestContext, type TestContextOptions } from './test-context.ts';

export const BACKGROUND = { extractionMode: 'background', enableContextSummary: false } as const;

/** A context with a queue and chance in the middle, and a background thread `thread` of the user `u`. */
export async function createBackgroundStage(options: TestContextOptions = {}) {
  const fakes = createTestContext(options);
  const queue = createRecordingQueue();
  const failures: (readonly [string, unknown])[] = [];
  const context: MemoryContext = {
    ...fakes.context,
    jobQueue: queue,
    random: () => 0.5,
    reportFailure: (work, error) => failures.push([work, error]),
  };
  const memory = new AgentMemory(context);
  const thread = await memory.createThread({ threadId: 'thread', userId: 'u', extraction: BACKGROUND });
  return {
    ...fakes,
    context,
    memory,
    queue,
    failures,
    thread,
    run: (jobId: string, changes: Partial<MemoryContext> = {}) => runJob({ ...context, ...changes }, jobId),
  };
}

/** Lets everything run that waits for nothing but other promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
}
