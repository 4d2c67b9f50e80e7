import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { isLimited } from '../schemas/caller-limits.ts';
import type { NewMessageRecord, NewRecord } from './records/stored-record.ts';
import type { StoreContext } from './store-context.ts';

/** Whose a new row will be. Undefined = it takes the value of a thread that the statement itself limits. */
interface Owners {
  readonly userId: string | null | undefined;
  readonly agentId: string | null | undefined;
  readonly threadId: string | null | undefined;
}

const FIELDS = [
  { field: 'userId', list: 'users' },
  { field: 'agentId', list: 'agents' },
  { field: 'threadId', list: 'threads' },
] as const;

/** @throws AgentMemoryError `forbidden` for a row that its own writer could not see */
export function requireInLimits({ limits = {} }: Pick<StoreContext, 'limits'>, owners: Owners): void {
  for (const { field, list } of FIELDS) {
    const value = owners[field];
    if (value !== undefined && !isListed(limits[list], value)) throw outsideLimits(field);
  }
}

/** Whose a new record will be. */
type OwnedRecord = Owners & Pick<NewRecord | NewMessageRecord, 'family' | 'id'>;

/**
 * The same for a new record. What is undefined comes from the thread that it is added from, and is NULL without one.
 *
 * @throws AgentMemoryError `forbidden`
 */
export function requireRecordInLimits(
  context: Pick<StoreContext, 'limits'>,
  record: OwnedRecord,
  hasThread: boolean,
): void {
  const { limits = {} } = context;
  if (record.family === 'user_profile' || record.family === 'agent_profile') {
    const isUser = record.family === 'user_profile';
    const allowed = isUser ? limits.users : limits.agents;
    if (isLimited(limits) && !allowed?.includes(record.id))
      throw outsideLimits(isUser ? 'userId' : 'agentId');
    return;
  }
  const { userId, agentId, threadId } = record;
  const owners = { userId, agentId, threadId };
  requireInLimits(context, hasThread ? owners : withoutThread(owners));
}

function withoutThread({ userId = null, agentId = null, threadId = null }: Owners): Owners {
  return { userId, agentId, threadId };
}

function isListed(list: readonly string[] | undefined, value: string | null): boolean {
  return list === undefined || (value !== null && list.includes(value));
}

/** What a caller learns who names something outside their limits, whether it exists or not. */
export function outsideLimits(field: string): AgentMemoryError {
  return new AgentMemoryError(
    'forbidden',
    `the credential does not reach this ${field}; what has none is outside too`,
  );
}
