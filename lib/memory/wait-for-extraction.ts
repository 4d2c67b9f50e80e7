import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { writeCursor } from '../schemas/cursor.ts';
import {
  DEFAULT_WAIT_SECONDS,
  type FinishedExtraction,
  type WaitForExtractionOptions,
  type WaitForExtractionRequest,
  type WaitForExtractionResponse,
} from '../schemas/extraction-wait.ts';
import type { ExtractionProgress } from '../store/jobs/job-store.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

/** Milliseconds between looks; the last one repeats. Eleven looks fall into the first ten seconds. */
const PAUSES = [100, 200, 300, 500, 800, 1_000, 1_300, 1_600, 2_000] as const;
const LONGEST_PAUSE = 2_000;

/** What a wait saw last. */
interface LastLook {
  /** The newest job that the wait is for. */
  readonly upto: number;
  readonly progress: ExtractionProgress;
  /** Whether the caller's own time is over. */
  readonly isTimedOut: boolean;
}

/**
 * Waits until every extraction job that the thread has now has ended, whoever runs it (contract §4.7). A job that failed
 * counts as ended; one that begins after the wait does not belong to it. Reads the job rows only: one round trip a look,
 * at most twelve in the first ten seconds. When `context.answerBy` comes first the answer is `pending` with the
 * watermark to go on from. Errors: `not_found`; `timeout` when `timeoutSeconds` are over, with `watermark` and `pending`
 * in its details.
 */
export async function waitForExtraction(
  context: MemoryContext,
  threadId: string,
  request: WaitForExtractionRequest,
): Promise<WaitForExtractionResponse> {
  const look = await lookUntilFinished(context, threadId, request);
  const { unfinished, succeeded, failed } = look.progress;
  if (unfinished === 0) return { status: 'completed', succeeded, failed };
  if (look.isTimedOut) throw timedOut(look);
  return { status: 'pending', watermark: writeCursor('extraction', look.upto), pending: unfinished };
}

/** The same to the end, for a caller in this process. */
export async function waitForAllExtraction(
  context: MemoryContext,
  threadId: string,
  request: WaitForExtractionOptions,
): Promise<FinishedExtraction> {
  const look = await lookUntilFinished({ ...context, answerBy: undefined }, threadId, request);
  const { unfinished, succeeded, failed } = look.progress;
  if (unfinished > 0) throw timedOut(look);
  return { succeeded, failed };
}

async function lookUntilFinished(
  context: MemoryContext,
  threadId: string,
  { timeoutSeconds = DEFAULT_WAIT_SECONDS, watermark }: WaitForExtractionRequest,
): Promise<LastLook> {
  const { clock, signal } = context;
  const answerBy = context.answerBy?.getTime() ?? Number.POSITIVE_INFINITY;
  const timeoutAt =
    timeoutSeconds === null ? Number.POSITIVE_INFINITY : clock.now().getTime() + timeoutSeconds * 1_000;
  let upto = watermark;
  for (let looks = 0; ; looks += 1) {
    const progress = await readProgress(context, threadId, upto);
    upto ??= progress.newestPosition;
    const remaining = Math.min(timeoutAt, answerBy) - clock.now().getTime();
    if (progress.unfinished === 0 || remaining <= 0) {
      return { upto, progress, isTimedOut: timeoutAt <= answerBy };
    }
    await clock.sleep(Math.min(PAUSES[looks] ?? LONGEST_PAUSE, remaining), signal);
  }
}

async function readProgress(
  { store, signal }: MemoryContext,
  threadId: string,
  upto: number | undefined,
): Promise<ExtractionProgress> {
  return requireFound(await store.readExtractionProgress(threadId, upto, { signal }), 'thread', threadId);
}

function timedOut({ upto, progress }: LastLook): AgentMemoryError {
  const pending = progress.unfinished;
  const jobs = pending === 1 ? '1 job is' : `${pending} jobs are`;
  return new AgentMemoryError('timeout', `the extraction did not end in time: ${jobs} pending or running`, {
    details: { watermark: writeCursor('extraction', upto), pending },
  });
}
