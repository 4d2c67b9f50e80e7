import type { AddAgentRequest, AddUserRequest } from '../schemas/profile.ts';
import type { CreatedId, MemoryRecord } from '../schemas/record.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { createRetrievalRows } from './retrieval-rows.ts';

interface ProfileRequest {
  readonly information: string;
  readonly metadata?: AddUserRequest['metadata'];
}

async function addProfile(
  context: MemoryContext,
  family: 'user_profile' | 'agent_profile',
  id: string,
  request: ProfileRequest,
): Promise<CreatedId> {
  const [chunks = []] = await createRetrievalRows(context, [request.information]);
  await context.store.addRecord(
    {
      family,
      recordType: family,
      id,
      content: request.information,
      metadata: request.metadata ?? {},
      timestamp: null,
      userId: null,
      agentId: null,
      threadId: null,
      ttlDays: undefined,
      ttlAnchor: 'created_at',
      chunks,
    },
    undefined,
    { signal: context.signal },
  );
  return { id };
}

/** Adds a searchable, unscoped profile whose id is the user id (contract §3.2). Errors: `conflict`. */
export function addUser(context: MemoryContext, request: AddUserRequest): Promise<CreatedId> {
  return addProfile(context, 'user_profile', request.userId, request);
}

/** Adds a searchable, unscoped profile whose id is the agent id (contract §3.2). Errors: `conflict`. */
export function addAgent(context: MemoryContext, request: AddAgentRequest): Promise<CreatedId> {
  return addProfile(context, 'agent_profile', request.agentId, request);
}

/** Reads a user profile. One round trip. Errors: `not_found`. */
export async function getUser(context: MemoryContext, userId: string): Promise<MemoryRecord> {
  const record = await context.store.getRecord('user_profile', userId, { signal: context.signal });
  return requireFound(record, 'user', userId);
}

/** Reads an agent profile. One round trip. Errors: `not_found`. */
export async function getAgent(context: MemoryContext, agentId: string): Promise<MemoryRecord> {
  const record = await context.store.getRecord('agent_profile', agentId, { signal: context.signal });
  return requireFound(record, 'agent', agentId);
}
