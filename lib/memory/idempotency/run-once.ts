import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { RecordedRequest } from '../../store/requests/recorded-request.ts';
import type { MemoryContext } from '../memory-context.ts';
import { findRecorded } from './find-recorded.ts';
import { derivedIds, digestBody, digestKey, type RequestIdentity } from './request-digest.ts';
import { requestOwners } from './request-owners.ts';

/** The key of a request and whose key it is. */
export interface Idempotency {
  /** 1 to 255 visible ASCII characters. */
  readonly key: string;
  readonly callerId: string;
  /** Hears that the request was carried out before, ahead of its answer. */
  readonly onReplay?: () => void;
}

/** The key of a call in this process; its keys are apart from those of requests over HTTP. */
export function inProcess(key: string | undefined): Idempotency | undefined {
  return key === undefined ? undefined : { key, callerId: '(in process)' };
}

/**
 * Runs a request that changes state, at most once for each idempotency key: repeated, it answers as it did the first time
 * and changes nothing. The key is recorded in the block of the change, so a request that failed is not remembered, and
 * its ids derive from the key. Without a key it just runs. No round trip more than without a key; repeated, that of the
 * refused write and one to find the record.
 *
 * @throws AgentMemoryError `idempotency_mismatch`; `conflict` with `retryAfterSeconds` when the first still runs after 20
 * seconds; `unsupported` where requests are not recorded; and what the request throws
 */
export async function runOnce<Answer>(
  context: MemoryContext,
  identity: RequestIdentity,
  idempotency: Idempotency | undefined,
  run: (context: MemoryContext) => Promise<Answer>,
): Promise<Answer> {
  if (idempotency === undefined) return run(context);
  const { requests } = context;
  if (requests === undefined) {
    throw new AgentMemoryError('unsupported', 'this memory store does not record idempotency keys');
  }
  const requestKey = await digestKey(identity, { ...idempotency, storeName: requests.storeName });
  const requestHash = await digestBody(identity);
  const request = { requestKey, requestHash, owners: requestOwners(identity) };
  const runWith = (recorded?: RecordedRequest): Promise<Answer> =>
    run({ ...context, store: requests.recording(request), newId: derivedIds(requestKey), recorded });
  try {
    return await runWith();
  } catch (error) {
    if (!AgentMemoryError.is(error) || error.code !== 'conflict') throw error;
    const recorded = await findRecorded(context, requests, requestKey, requestHash);
    if (recorded === undefined) throw error;
    idempotency.onReplay?.();
    return runWith(recorded);
  }
}
