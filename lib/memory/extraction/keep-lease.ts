import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { MemoryContext } from '../memory-context.ts';
import type { HeldJob } from './held-job.ts';

/** Renewals in one lease: two may fail before it is over. */
const RENEWALS_PER_LEASE = 3;

/**
 * Does work on a held job and renews its lease meanwhile, however long a model takes. When the lease is lost, the work's
 * signal aborts: what it still does is in vain, because another worker may have the job. A renewal that fails is tried again
 * until the lease is over by the clock. One round trip every third of a lease, none for work that ends before.
 *
 * @returns `lost` when the work failed after the lease was lost. Errors: those of the work
 */
export async function keepLease<Result>(
  context: MemoryContext,
  job: HeldJob,
  work: (context: MemoryContext) => Promise<Result>,
): Promise<Result | 'lost'> {
  const lost = new AbortController();
  const done = new AbortController();
  const renewing = renewUntil(done.signal, context, job, lost);
  const signals = context.signal === undefined ? [lost.signal] : [context.signal, lost.signal];
  try {
    return await work({ ...context, signal: AbortSignal.any(signals) });
  } catch (error) {
    if (lost.signal.aborted) return 'lost';
    throw error;
  } finally {
    done.abort();
    await renewing;
  }
}

async function renewUntil(
  done: AbortSignal,
  { clock, settings, store, reportFailure }: MemoryContext,
  job: HeldJob,
  lost: AbortController,
): Promise<void> {
  const leaseSeconds = settings.jobLeaseSeconds;
  const milliseconds = () => clock.now().getTime();
  let leaseEnd = milliseconds() + leaseSeconds * 1_000;
  for (;;) {
    await clock.sleep((leaseSeconds * 1_000) / RENEWALS_PER_LEASE, done).catch(() => undefined);
    if (done.aborted) return;
    const begin = milliseconds();
    try {
      if (!(await store.renewLease({ ...job, leaseSeconds }, { signal: done }))) break;
      leaseEnd = begin + leaseSeconds * 1_000;
    } catch (error) {
      if (done.aborted) return;
      reportFailure?.('lease_renewal', error);
      if (milliseconds() >= leaseEnd) break;
    }
  }
  lost.abort(new AgentMemoryError('conflict', 'The lease of the job was lost.'));
}
