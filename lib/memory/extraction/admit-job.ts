import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Extraction, ResolvedExtractionConfig } from '../../schemas/extraction.ts';
import { QUEUE_FULL, QUEUE_FULL_DETAIL } from '../../store/jobs/job-lifecycle.ts';
import type { MemoryContext } from '../memory-context.ts';
import { sendWakeUp } from '../wake-up.ts';

/** Milliseconds before the first look for room; each pause is twice the one before, up to the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/** The messages of a write, for whoever has to be told of them. */
export interface StoredMessages {
  readonly threadId: string;
  readonly ids: readonly string[];
}

/**
 * What becomes of a job that the queue had no room for, as the thread's configuration says (contract §8.3): it is dropped at
 * once, or when there is no room within the time for it; it can be retried later. One round trip for the configuration, one
 * for each look for room. Errors: `extraction_queue_full` with the ids of the stored messages, for `wait_then_raise`.
 */
export async function admitJob(
  context: MemoryContext,
  jobId: string,
  { threadId, ids }: StoredMessages,
): Promise<Extraction> {
  const config = await readConfig(context, threadId);
  const behavior = config?.backgroundExtractionQueueFullBehavior ?? 'drop';
  const seconds = config?.backgroundExtractionQueuePutTimeoutSeconds ?? 0;
  if (behavior !== 'drop' && (await waitForRoom(context, jobId, seconds * 1_000))) {
    await sendWakeUp(context, jobId);
    return { status: 'queued', jobId };
  }
  return leaveOut(behavior, jobId, ids);
}

/**
 * What a repeated request says of a job that the first one had to leave out. One round trip. Errors: as `admitJob`.
 */
export async function replayLeftOut(
  context: MemoryContext,
  jobId: string,
  { threadId, ids }: StoredMessages,
): Promise<Extraction> {
  const config = await readConfig(context, threadId);
  return leaveOut(config?.backgroundExtractionQueueFullBehavior, jobId, ids);
}

function leaveOut(
  behavior: ResolvedExtractionConfig['backgroundExtractionQueueFullBehavior'] | undefined,
  jobId: string,
  ids: readonly string[],
): Extraction {
  if (behavior === 'wait_then_raise') {
    throw new AgentMemoryError(QUEUE_FULL, 'the messages are stored, but the extraction queue is full', {
      details: { ids, jobId },
    });
  }
  return { status: 'dropped', jobId, reason: { code: QUEUE_FULL, detail: QUEUE_FULL_DETAIL } };
}

/** Undefined when the thread is gone or cannot be read: the messages are stored, so that is no failure of the request. */
async function readConfig(
  { store, signal, reportFailure }: MemoryContext,
  threadId: string,
): Promise<ResolvedExtractionConfig | undefined> {
  try {
    return (await store.getThread(threadId, { signal }))?.config.extraction;
  } catch (error) {
    reportFailure?.('extraction', error);
    return undefined;
  }
}

/** Looks for room until the time for it is over or the request has ended; a look that fails is followed by another. */
async function waitForRoom(context: MemoryContext, jobId: string, milliseconds: number): Promise<boolean> {
  const { clock, signal } = context;
  const end = clock.now().getTime() + milliseconds;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const remaining = end - clock.now().getTime();
    if (remaining <= 0) return false;
    await clock.sleep(Math.min(pause, remaining), signal).catch(() => undefined);
    if (signal?.aborted) return false;
    if (await isAdmitted(context, jobId)) return true;
  }
}

/**
 * Not under the request's signal: a job that was admitted must not be answered as dropped. The answer may be lost after the
 * commit; the next look finds it then.
 */
async function isAdmitted(
  { store, settings, reportFailure }: MemoryContext,
  jobId: string,
): Promise<boolean> {
  try {
    return await store.admitJob(jobId, settings.queueCapacity);
  } catch (error) {
    reportFailure?.('extraction', error);
    return false;
  }
}
