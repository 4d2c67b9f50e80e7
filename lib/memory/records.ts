import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import {
  isProfileType,
  type MemoryRecord,
  RECORD_TYPES,
  type RecordPage,
  type RecordType,
} from '../schemas/record.ts';
import type {
  DeleteRecordOptions,
  ListRecordsRequest,
  SearchRecordsRequest,
} from '../schemas/record-request.ts';
import type { SearchResponse } from '../schemas/search.ts';
import type { StoreSearch } from '../store/search/store-search.ts';
import { toStoredVector } from './given-vectors.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { familyOf } from './record-family.ts';
import { toRecordPage } from './record-page.ts';
import { createStoreQuery } from './retrieval-rows.ts';
import { toSearchResponse } from './search.ts';
import { resolveSearchScope } from './search-scope.ts';

/**
 * Records of one type in the order in which they were added, whatever their status, never expired ones; stable while
 * others write (contract §10.2, D12). One round trip. Errors: `invalid_request` naming a place in the filter.
 */
export async function listRecords(context: MemoryContext, request: ListRecordsRequest): Promise<RecordPage> {
  const { recordType, threadId, userId, agentId, metadataFilter } = request;
  const owners = isProfileType(recordType) ? {} : { threadId, userId, agentId };
  const { limit = DEFAULT_PAGE_LIMIT, cursor } = request;
  const page = await context.store.listRecords(
    { family: familyOf(recordType), recordType, ...owners, metadataFilter, after: cursor, limit },
    { signal: context.signal },
  );
  return toRecordPage('records', page);
}

async function recordQuery(
  context: MemoryContext,
  { query, queryVector }: SearchRecordsRequest,
): Promise<StoreSearch['query']> {
  if (queryVector === undefined) return createStoreQuery(context, query ?? '');
  if (context.settings.searchStrategy === 'keyword') {
    throw new AgentMemoryError(
      'unsupported',
      'A store with keyword search compares no vectors: give a query.',
    );
  }
  return {
    strategy: 'vector',
    vector: toStoredVector(queryVector, context.store.dimensions, 'queryVector'),
  };
}

/**
 * Searches records of every owner: a given owner is only preferred unless its flag is true (contract §5, §10.2). One
 * round trip, two when a vector index gives too few records, and one query embedding for a text; a given vector is
 * compared as it is. Errors: `invalid_request`,
 * `unsupported` for a vector where words alone are searched.
 */
export async function searchRecords(
  context: MemoryContext,
  request: SearchRecordsRequest,
): Promise<SearchResponse> {
  const hits = await context.store.search(
    {
      threadId: undefined,
      scope: resolveSearchScope(request, 'store'),
      recordTypes: [...new Set(request.recordTypes ?? RECORD_TYPES)],
      metadataFilter: request.metadataFilter ?? null,
      maxResults: request.k,
      query: await recordQuery(context, request),
      minimums: {},
    },
    { signal: context.signal },
  );
  return toSearchResponse(hits ?? []);
}

/** Reads a record of exactly this type, never a chunk. One round trip. Errors: `not_found`. */
export async function getRecord(
  context: MemoryContext,
  recordType: RecordType,
  recordId: string,
): Promise<MemoryRecord> {
  const record = await context.store.getRecord(familyOf(recordType), recordId, { signal: context.signal });
  return requireFound(record?.recordType === recordType ? record : undefined, 'record', recordId);
}

/**
 * Deletes a record of exactly this type with its retrieval rows; 0 when there was none (D7). With `cascade` a profile
 * takes along everything that is the actor's, all or nothing (contract §3.3). One round trip. Errors: `invalid_request`
 * for a cascade of another type.
 */
export async function deleteRecord(
  context: MemoryContext,
  recordType: RecordType,
  recordId: string,
  { cascade = false }: DeleteRecordOptions,
): Promise<number> {
  const { store, signal } = context;
  if (!cascade) return store.deleteRecord(familyOf(recordType), recordId, { recordType, signal });
  if (isProfileType(recordType)) return store.deleteActor(recordType, recordId, { signal });
  throw invalidRequest('cascade', 'is possible for profiles only');
}
