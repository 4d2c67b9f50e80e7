import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { RecordedRequest } from '../../store/requests/recorded-request.ts';
import type { RequestStore } from '../../store/requests/request-store.ts';
import type { MemoryContext } from '../memory-context.ts';

/** How long a repeated request waits for the first to end (HTTP API contract, Conventions). */
const LONGEST_WAIT_MILLISECONDS = 20_000;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * What is recorded under a key; while its request still runs, looks again with growing pauses. Undefined when nothing is.
 * One round trip a look.
 *
 * @throws AgentMemoryError `idempotency_mismatch` for a key of another request, `conflict` with a time to come again when
 * the first still runs after 20 seconds or when this one has to answer
 */
export async function findRecorded(
  context: MemoryContext,
  requests: RequestStore,
  requestKey: string,
  requestHash: string,
): Promise<RecordedRequest | undefined> {
  const { clock, answerBy, signal } = context;
  const end = Math.min(
    clock.now().getTime() + LONGEST_WAIT_MILLISECONDS,
    answerBy?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  for (let pause = FIRST_PAUSE_MILLISECONDS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS)) {
    const recorded = await requests.find(requestKey, { signal });
    if (recorded === undefined) return undefined;
    if (recorded.requestHash !== requestHash) throw mismatch();
    if (!recorded.isRunning) return recorded;
    const remaining = end - clock.now().getTime();
    if (remaining <= 0) throw stillRunning();
    await clock.sleep(Math.min(pause, remaining), signal);
  }
}

function mismatch(): AgentMemoryError {
  return new AgentMemoryError(
    'idempotency_mismatch',
    'this idempotency key was used for a request with another body',
  );
}

function stillRunning(): AgentMemoryError {
  return new AgentMemoryError('conflict', 'the first request with this idempotency key is still running', {
    retryable: true,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
