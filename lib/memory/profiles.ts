import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import type {
  AddAgentRequest,
  AddUserRequest,
  DeleteActorOptions,
  ListProfilesRequest,
  UpdateProfileRequest,
} from '../schemas/profile.ts';
import type { CreatedId, MemoryRecord, RecordPage, UpdatedId } from '../schemas/record.ts';
import type { ActorFamily } from '../store/records/stored-record.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { changedContent, changedMetadata, isChange } from './record-change.ts';
import { toRecordPage } from './record-page.ts';
import { createRetrievalRows } from './retrieval-rows.ts';

interface ProfileRequest {
  readonly information: string;
  readonly metadata?: AddUserRequest['metadata'];
}

async function addProfile(
  context: MemoryContext,
  family: ActorFamily,
  id: string,
  request: ProfileRequest,
): Promise<CreatedId> {
  if (context.recorded !== undefined) return { id };
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

async function getProfile(context: MemoryContext, family: ActorFamily, id: string): Promise<MemoryRecord> {
  const record = await context.store.getRecord(family, id, { signal: context.signal });
  return requireFound(record, family === 'user_profile' ? 'user' : 'agent', id);
}

/** Reads a user profile. One round trip. Errors: `not_found`. */
export function getUser(context: MemoryContext, userId: string): Promise<MemoryRecord> {
  return getProfile(context, 'user_profile', userId);
}

/** Reads an agent profile. One round trip. Errors: `not_found`. */
export function getAgent(context: MemoryContext, agentId: string): Promise<MemoryRecord> {
  return getProfile(context, 'agent_profile', agentId);
}

async function listProfiles(
  context: MemoryContext,
  family: ActorFamily,
  { limit = DEFAULT_PAGE_LIMIT, cursor }: ListProfilesRequest,
): Promise<RecordPage> {
  const page = await context.store.listRecords({ family, after: cursor, limit }, { signal: context.signal });
  return toRecordPage(family === 'user_profile' ? 'users' : 'agents', page);
}

/** User profiles, oldest first; stable while others write. One round trip. */
export function listUsers(context: MemoryContext, request: ListProfilesRequest): Promise<RecordPage> {
  return listProfiles(context, 'user_profile', request);
}

/** Agent profiles, oldest first; stable while others write. One round trip. */
export function listAgents(context: MemoryContext, request: ListProfilesRequest): Promise<RecordPage> {
  return listProfiles(context, 'agent_profile', request);
}

async function updateProfile(
  context: MemoryContext,
  family: ActorFamily,
  id: string,
  request: UpdateProfileRequest,
): Promise<UpdatedId> {
  if (!isChange(request)) return { id: (await getProfile(context, family, id)).id };
  const content = await changedContent(context, request.information);
  const change = { content, metadata: changedMetadata(request.metadata) };
  const updated = await context.store.updateRecord(family, id, change, { signal: context.signal });
  return requireFound(updated ? { id } : undefined, family === 'user_profile' ? 'user' : 'agent', id);
}

/**
 * Changes a user profile: an absent field stays, metadata is replaced whole. One round trip, and an embedding pass when
 * information is given. Errors: `not_found`.
 */
export function updateUser(
  context: MemoryContext,
  userId: string,
  request: UpdateProfileRequest,
): Promise<UpdatedId> {
  return updateProfile(context, 'user_profile', userId, request);
}

/** As `updateUser`, for an agent. */
export function updateAgent(
  context: MemoryContext,
  agentId: string,
  request: UpdateProfileRequest,
): Promise<UpdatedId> {
  return updateProfile(context, 'agent_profile', agentId, request);
}

async function deleteProfile(
  context: MemoryContext,
  family: ActorFamily,
  id: string,
  { cascade = false, dryRun = false }: DeleteActorOptions,
): Promise<number> {
  const { store, signal } = context;
  if (cascade)
    return dryRun ? store.countActor(family, id, { signal }) : store.deleteActor(family, id, { signal });
  if (!dryRun) return store.deleteRecord(family, id, { signal });
  return (await store.getRecord(family, id, { signal })) === undefined ? 0 : 1;
}

/**
 * Deletes a user profile, with `cascade` everything that is the user's too, all or nothing (contract §3.3). With
 * `dryRun` it only counts. Answers how many threads and records, 0 for an unknown user (D7). One round trip.
 */
export function deleteUser(
  context: MemoryContext,
  userId: string,
  options: DeleteActorOptions,
): Promise<number> {
  return deleteProfile(context, 'user_profile', userId, options);
}

/** As `deleteUser`, for an agent; a user with the same id keeps everything. */
export function deleteAgent(
  context: MemoryContext,
  agentId: string,
  options: DeleteActorOptions,
): Promise<number> {
  return deleteProfile(context, 'agent_profile', agentId, options);
}
