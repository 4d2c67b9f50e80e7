import type { MemoryContext } from './memory-context.ts';
import { sendWakeUp } from './wake-up.ts';

/** Seconds that a job is due for before a sweep wakes it: its own wake-up may be under way. */
const GRACE_SECONDS = 10;
/**
 * Seconds between two wake-ups that sweeps send for one job: the first may wait in a long queue. Its worker may also have
 * ended before it claimed the job, which then runs again within a minute where a sweep comes every ten seconds.
 */
const QUIET_SECONDS = 45;
/** Jobs that one sweep wakes at most; the next one goes on. */
const WAKE_UP_LIMIT = 500;
const PARALLEL_SENDS = 10;
const KEPT_DAYS = 30;
const KEPT_REQUEST_HOURS = 24;
const PRUNE_BATCH = 500;
const PRUNE_BATCHES = 20;

/** What one sweep did. */
export interface SweepOutcome {
  /** Jobs that it made dead: no attempts left, and no living worker. */
  readonly dead: number;
  /** Jobs that it woke. */
  readonly woken: number;
  /** Wake-ups that the queue did not take: the next sweep sends them. */
  readonly failedWakeUps: number;
  readonly prunedJobs: number;
  readonly prunedRequests: number;
}

type SweepContext = Pick<MemoryContext, 'store' | 'jobQueue' | 'reportFailure' | 'signal'>;

/**
 * Sees to the jobs that nobody works at: wakes those that are due, whether a wake-up was lost, a worker ended or the time
 * of the next attempt has come; makes dead what has no attempts left; and removes what ended 30 days ago and what let
 * requests be repeated, after 24 hours. Any number of sweeps may run at once. Four round trips, one for noting wake-ups, two
 * for each 500 old jobs and one for each 500 requests beyond the first. Errors: those of the database.
 */
export async function sweepJobs(context: SweepContext): Promise<SweepOutcome> {
  const { store, signal } = context;
  const dead = await store.endLostJobs({ signal });
  const { woken, failedWakeUps } = await wakeDueJobs(context);
  const prunedJobs = await prune(() => store.pruneJobs(KEPT_DAYS, PRUNE_BATCH, { signal }));
  const prunedRequests = await prune(() => store.pruneRequests(KEPT_REQUEST_HOURS, PRUNE_BATCH, { signal }));
  return { dead, woken, failedWakeUps, prunedJobs, prunedRequests };
}

/** Only what the queue took is noted, so that the next sweep sends the others again. */
async function wakeDueJobs(context: SweepContext): Promise<Pick<SweepOutcome, 'woken' | 'failedWakeUps'>> {
  const { store, jobQueue, signal } = context;
  if (jobQueue === undefined) return { woken: 0, failedWakeUps: 0 };
  const due = { graceSeconds: GRACE_SECONDS, quietSeconds: QUIET_SECONDS, limit: WAKE_UP_LIMIT };
  const jobIds = await store.findDueJobs(due, { signal });
  const sent: string[] = [];
  let failedWakeUps = 0;
  for (let start = 0; start < jobIds.length && !signal?.aborted; start += PARALLEL_SENDS) {
    const batch = jobIds.slice(start, start + PARALLEL_SENDS);
    const taken = await Promise.all(batch.map((jobId) => sendWakeUp(context, jobId)));
    sent.push(...batch.filter((_jobId, index) => taken[index]));
    failedWakeUps += taken.filter((isTaken) => !isTaken).length;
  }
  if (sent.length > 0) await store.markWoken(sent);
  return { woken: sent.length, failedWakeUps };
}

/** Batch by batch until there is no full one, or the sweep has done enough of it. */
async function prune(removeBatch: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < PRUNE_BATCHES; batch += 1) {
    const count = await removeBatch();
    removed += count;
    if (count < PRUNE_BATCH) break;
  }
  return removed;
}
