import type { Job } from '../../lib/schemas/job.ts';
import { type JobLifecycle, LOST_ATTEMPT_LIMIT, WORKER_LOST } from '../../lib/store/jobs/job-lifecycle.ts';
import type { ManualClock } from '../../lib/testing/index.ts';
import { type HeldJob, isLeftOut, pendingJobs, requireState, withUsage } from './in-memory-jobs.ts';

/** Jobs as workers see them, over a map. No request can be repeated here, so none is pruned. */
export function createInMemoryLifecycle(
  clock: ManualClock,
  jobs: Map<string, HeldJob>,
  userOf: (threadId: string) => string | undefined,
  moveWatermark: (threadId: string, uptoSequence: number) => void,
): JobLifecycle {
  const milliseconds = () => clock.now().getTime();
  const isoAfter = (seconds: number) => new Date(milliseconds() + seconds * 1_000).toISOString();
  const isOver = ({ shown, leaseUntil }: HeldJob) =>
    shown.status === 'running' && leaseUntil <= milliseconds();
  const dueSince = ({ shown }: HeldJob) => Date.parse(shown.nextAttemptAt ?? shown.createdAt);

  const isOpen = ({ shown }: HeldJob) => shown.status === 'pending' || shown.status === 'running';
  /** The first job of the thread that has not ended. */
  const headOf = (threadId: string) =>
    [...jobs.values()].find((job) => job.threadId === threadId && isOpen(job));
  const isFirst = (job: HeldJob) => headOf(job.threadId) === job;
  const runningOf = (threadId: string) =>
    [...jobs.values()].filter(
      (job) =>
        job.shown.status === 'running' &&
        job.isClaimed &&
        !isOver(job) &&
        userOf(job.threadId) === userOf(threadId),
    ).length;

  function heldUnder(jobId: string, leaseToken: string): HeldJob | undefined {
    const job = jobs.get(jobId);
    return job?.shown.status === 'running' && job.leaseToken === leaseToken ? job : undefined;
  }

  function endIfLost(job: HeldJob): boolean {
    const { attempt, maxAttempts } = job.shown;
    if (!isOver(job) || (job.lostAttempts + 1 < LOST_ATTEMPT_LIMIT && attempt < maxAttempts)) return false;
    const reason = { code: WORKER_LOST, detail: 'The worker ended without an outcome.' };
    job.lostAttempts += 1;
    job.leaseToken = undefined;
    job.shown = { ...job.shown, status: 'dead', reason, finishedAt: isoAfter(0) };
    return true;
  }

  function makePending(job: HeldJob, change: Partial<Job>): void {
    const waiting = {
      status: 'pending',
      nextAttemptAt: isoAfter(0),
      reason: null,
      finishedAt: null,
    } as const;
    job.wokenAt = undefined;
    job.shown = { ...job.shown, ...waiting, ...change };
  }

  return {
    async claimDueJob({ jobId, leaseToken, leaseSeconds, userLimit }) {
      const job = jobs.get(jobId);
      if (job === undefined) return 'nothing_due';
      if (endIfLost(job)) return 'dead';
      const isTakenOver = isOver(job);
      const isDue = job.shown.status === 'pending' && dueSince(job) <= milliseconds();
      if ((!isTakenOver && !isDue) || !isFirst(job)) return 'nothing_due';
      if (runningOf(job.threadId) >= userLimit) return 'nothing_due';
      job.lostAttempts += isTakenOver ? 1 : 0;
      job.isClaimed = true;
      job.wokenAt = undefined;
      job.leaseToken = leaseToken;
      job.leaseUntil = milliseconds() + leaseSeconds * 1_000;
      const started = {
        status: 'running',
        nextAttemptAt: null,
        reason: null,
        startedAt: isoAfter(0),
      } as const;
      job.shown = { ...job.shown, ...started, attempt: job.shown.attempt + 1 };
      return 'claimed';
    },
    async renewLease({ jobId, leaseToken, leaseSeconds }) {
      const job = heldUnder(jobId, leaseToken);
      if (job !== undefined) job.leaseUntil = milliseconds() + leaseSeconds * 1_000;
      return job !== undefined;
    },
    async releaseJob({ jobId, leaseToken, reason, retrySeconds, countsAttempt, ...usage }) {
      const job = heldUnder(jobId, leaseToken);
      if (job === undefined) return 'lost';
      job.leaseToken = undefined;
      const shown = { ...withUsage(job.shown, usage), reason };
      const { attempt, maxAttempts } = shown;
      if (countsAttempt && attempt >= maxAttempts) {
        job.shown = { ...shown, status: 'dead', finishedAt: isoAfter(0) };
        return 'dead';
      }
      const seconds = retrySeconds[Math.min(attempt, retrySeconds.length) - 1] ?? 0;
      const left = { status: 'pending', nextAttemptAt: isoAfter(seconds) } as const;
      job.shown = { ...shown, ...left, attempt: countsAttempt ? attempt : attempt - 1 };
      return 'pending';
    },
    async admitJob(jobId, queueCapacity) {
      const job = jobs.get(jobId);
      if (job === undefined) return false;
      if (isLeftOut(job.shown) && pendingJobs(jobs) < queueCapacity) makePending(job, {});
      return job.shown.status !== 'cancelled';
    },
    async requeueJob(jobId, maxAttempts) {
      const job = requireState(jobs, jobId, ['failed', 'dead', 'cancelled']);
      job.lostAttempts = 0;
      makePending(job, { attempt: 0, maxAttempts, startedAt: null });
    },
    endLostJobs: async () => [...jobs.values()].filter(endIfLost).length,
    async findNextJobs(jobId, userLimit) {
      const threadId = jobs.get(jobId)?.threadId;
      if (threadId === undefined) return [];
      return [...jobs.values()]
        .filter((job) => job.shown.status === 'pending' && dueSince(job) <= milliseconds() && isFirst(job))
        .filter((job) => userOf(job.threadId) === userOf(threadId))
        .slice(0, Math.max(0, userLimit - runningOf(threadId)))
        .map(({ shown }) => shown.jobId);
    },
    async findDueJobs({ graceSeconds, quietSeconds, limit }) {
      const ago = (seconds: number) => milliseconds() - seconds * 1_000;
      return [...jobs.values()]
        .filter((job) => (job.shown.status === 'pending' ? dueSince(job) <= ago(graceSeconds) : isOver(job)))
        .filter(isFirst)
        .filter(({ wokenAt }) => wokenAt === undefined || wokenAt <= ago(quietSeconds))
        .slice(0, limit)
        .map(({ shown }) => shown.jobId);
    },
    async markWoken(jobIds) {
      for (const jobId of jobIds) {
        const job = jobs.get(jobId);
        if (job !== undefined && (job.shown.status === 'pending' || isOver(job)))
          job.wokenAt = milliseconds();
      }
    },
    async pruneJobs(olderThanDays, limit) {
      const until = milliseconds() - olderThanDays * 86_400_000;
      const old = [...jobs.values()]
        .filter(({ shown }) => shown.finishedAt !== null && Date.parse(shown.finishedAt) <= until)
        .slice(0, limit);
      for (const { threadId, uptoSequence, isEdit, shown } of old) {
        if (!isEdit) moveWatermark(threadId, uptoSequence);
        jobs.delete(shown.jobId);
      }
      return old.length;
    },
    pruneRequests: async () => 0,
  };
}
