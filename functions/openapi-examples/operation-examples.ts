import type { OperationExample } from './define-example.ts';
import { GOVERNANCE_EXAMPLES } from './governance-examples.ts';
import { JOB_EXAMPLES } from './job-examples.ts';
import { MEMORY_EXAMPLES } from './memory-examples.ts';
import { MESSAGE_EXAMPLES } from './message-examples.ts';
import { PROFILE_EXAMPLES } from './profile-examples.ts';
import { RECORD_EXAMPLES } from './record-examples.ts';
import { RETRIEVAL_EXAMPLES } from './retrieval-examples.ts';
import { THREAD_EXAMPLES } from './thread-examples.ts';

/** One example of every operation, by operationId. Only the OpenAPI document carries them: a function of its own has none. */
export const OPERATION_EXAMPLES: ReadonlyMap<string, OperationExample> = new Map(
  [
    THREAD_EXAMPLES,
    MESSAGE_EXAMPLES,
    MEMORY_EXAMPLES,
    RETRIEVAL_EXAMPLES,
    PROFILE_EXAMPLES,
    RECORD_EXAMPLES,
    JOB_EXAMPLES,
    GOVERNANCE_EXAMPLES,
  ]
    .flat()
    .map((example) => [example.operationId, example]),
);
