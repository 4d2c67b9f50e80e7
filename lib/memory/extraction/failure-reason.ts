import { AgentMemoryError } from '../../errors/agent-memory-error.ts';

/** Why a job ended as it did: a code for programs and a text that is safe to show. */
export interface JobReason {
  readonly code: string;
  readonly detail: string;
}

/** What a job row keeps of a detail, in characters. */
const DETAIL_LIMIT = 1_000;

/** Turns a failure into a job's reason; nothing from inside gets into it. */
export function toJobReason(error: unknown, signal: AbortSignal | undefined): JobReason {
  if (signal?.aborted) {
    return { code: 'timeout', detail: 'The request ended before the extraction did.' };
  }
  if (AgentMemoryError.is(error))
    return { code: error.code, detail: error.message.slice(0, DETAIL_LIMIT).toWellFormed() };
  return { code: 'internal', detail: 'The extraction failed unexpectedly.' };
}
