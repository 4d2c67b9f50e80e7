import { type Binds, text } from '../../sql/bind.ts';
import type { StoreContext } from '../store-context.ts';

/** Who writes: it is kept with every change, in the audit trail and in the history of memories. */
export interface WriteAuthor {
  /** Id of the credential; `job:` and an id for what a background job does. */
  readonly callerId: string;
  /** `X-Request-Id` of the request; null for what no request asked for. */
  readonly requestId: string | null;
  /** The operation that is carried out. @default the one that the method of the store stands for */
  readonly operationId?: string | undefined;
}

/** Calls in a process that names nobody. */
export const IN_PROCESS: WriteAuthor = Object.freeze({ callerId: '(in process)', requestId: null });

/** Characters of `caller_id`. */
const CALLER_ID_LENGTH = 512;

/** What the statements that record a change bind. */
export function authorBinds({ author = IN_PROCESS }: StoreContext, operationId: string): Binds {
  return bindsOf(author, author.operationId ?? operationId);
}

/** The same for an extraction pass, whoever runs it: for what it adds, if it does, and for what that supersedes. */
export function passAuthorBinds({ author = IN_PROCESS }: StoreContext, jobId: string, adds: boolean): Binds {
  const { requestId } = author;
  const { author_operation, ...job } = bindsOf({ callerId: `job:${jobId}`, requestId }, 'extractMemories');
  return { ...job, superseding_operation: text('supersedeMemories'), ...(adds ? { author_operation } : {}) };
}

function bindsOf({ callerId, requestId }: WriteAuthor, operationId: string) {
  return {
    author_operation: text(operationId),
    author_caller: text(callerId.slice(0, CALLER_ID_LENGTH)),
    author_request: text(requestId),
  };
}
