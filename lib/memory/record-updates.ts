import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { isProfileType, type RecordType } from '../schemas/record.ts';
import type { UpdatedRecord, UpdateRecordRequest } from '../schemas/record-request.ts';
import type { RecordChange, RetrievalChange } from '../store/records/stored-record.ts';
import { toStoredVectors } from './given-vectors.ts';
import type { MemoryContext } from './memory-context.ts';
import { changedLifetime, changedMetadata, isChange } from './record-change.ts';
import { familyOf } from './record-family.ts';
import { createPayloadRows } from './retrieval-payload.ts';
import { ttlWarnings } from './ttl-warnings.ts';

/** Rows for a text that is given with the change: the retrieval text, else the new content. */
async function newRows(context: MemoryContext, { content, indexText, embedding }: UpdateRecordRequest) {
  if (indexText === null || content === null) return [];
  const payload = { text: indexText ?? content ?? '', embedding, textPath: 'indexText', path: 'embedding' };
  const [rows = []] = await createPayloadRows(context, [payload]);
  return rows;
}

/** A change of vectors alone keeps the retrieval text that is stored. */
function changedVectors(
  { store }: MemoryContext,
  embedding: UpdateRecordRequest['embedding'],
): RetrievalChange | undefined {
  if (embedding === undefined) return undefined;
  if (embedding === null) return { kind: 'no_vectors' };
  const vectors = toStoredVectors(embedding, store.dimensions, 'embedding');
  return { kind: 'vectors', vectors };
}

/** The rows of contract §10.3 for an update; the request's schema has refused what it rejects. */
async function changedPayload(
  context: MemoryContext,
  request: UpdateRecordRequest,
): Promise<Pick<RecordChange, 'content' | 'retrieval'>> {
  const { content, indexText, embedding } = request;
  if (content !== undefined) return { content: { text: content, chunks: await newRows(context, request) } };
  if (indexText === undefined) return { retrieval: changedVectors(context, embedding) };
  return { retrieval: { kind: 'rows', chunks: await newRows(context, request) } };
}

/** A profile always has text and never expires (contract §3.2, §10.3, §11). */
function assertProfileChange({ content, ttlDays, ttlAnchor }: UpdateRecordRequest): void {
  if (content === null) throw invalidRequest('content', 'cannot be null for a profile');
  if ((ttlDays ?? null) !== null) throw invalidRequest('ttlDays', 'cannot be given for a profile');
  if (ttlAnchor !== undefined) throw invalidRequest('ttlAnchor', 'cannot be given for a profile');
}

/**
 * Changes a record of exactly this type (contract §10.2, §10.3): an absent field stays, metadata is replaced whole. New
 * content of a message marks a running summary that covers it stale; no extraction starts. One round trip, and an
 * embedding pass for a new text without vectors. Answers 0 when there is no such record or it has expired (D7). Errors:
 * `invalid_request` naming the field, `forbidden` for a guideline without `guidelines:write`.
 */
export async function updateRecord(
  context: MemoryContext,
  recordType: RecordType,
  recordId: string,
  request: UpdateRecordRequest,
): Promise<UpdatedRecord> {
  const { store, signal } = context;
  if (recordType === 'guideline' && context.permits?.('guidelines:write') === false) {
    throw new AgentMemoryError('forbidden', 'the credential lacks the scope guidelines:write');
  }
  if (isProfileType(recordType)) assertProfileChange(request);
  const family = familyOf(recordType);
  if (!isChange(request)) {
    const record = await store.getRecord(family, recordId, { signal });
    return { updated: record?.recordType === recordType ? 1 : 0 };
  }
  const lifetime = isProfileType(recordType) ? undefined : changedLifetime(request);
  const change: RecordChange = {
    ...(await changedPayload(context, request)),
    metadata: changedMetadata(request.metadata),
    timestamp: request.timestamp,
    lifetime,
  };
  const isFound = await store.updateRecord(family, recordId, change, { recordType, signal });
  return { updated: isFound ? 1 : 0, ...ttlWarnings(store.retention, isFound ? [request.ttlDays] : []) };
}
