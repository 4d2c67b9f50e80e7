import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { OperationContract } from '../../lib/schemas/operation-contract.ts';

/**
 * Refuses an `Idempotency-Key` on a POST that changes state: repeated requests are not recognised yet, and a client
 * that sends the key relies on it. Reads ignore the header (HTTP API contract, Conventions).
 *
 * @throws AgentMemoryError `unsupported`
 */
export function refuseIdempotencyKey(contract: OperationContract, key: string | undefined): void {
  if (key === undefined || contract.readOnly || contract.method !== 'post') return;
  throw new AgentMemoryError('unsupported', 'the header Idempotency-Key is not supported yet', {
    issues: [{ path: 'Idempotency-Key', message: 'is not supported yet' }],
  });
}
