import { RECORD_TYPES } from '../schemas/record.ts';
import type { SearchRequest, SearchResponse, SearchResult } from '../schemas/search.ts';
import { formatRecordLines } from '../schemas/values/record-format.ts';
import type { SearchHit, StoreSearch } from '../store/search/store-search.ts';
import { takeWithinAnswer } from './answer-size.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { createStoreQuery } from './retrieval-rows.ts';
import { resolveSearchScope } from './search-scope.ts';

/** Results when a search does not say how many (contract §6.1). */
const DEFAULT_MAX_RESULTS = 10;

/** A hit in the form that callers see (contract §6.2). */
export function toSearchResult({ record, distance }: SearchHit): SearchResult {
  const { id, recordType, metadata, timestamp, role } = record;
  const content = record.content ?? '';
  const formattedContent = formatRecordLines({ recordType, timestamp, role, content }, '').join('\n');
  return { id, recordType, content, formattedContent, distance, timestamp, metadata, record };
}

/** The best results as far as one answer holds them: `maxResults` is an upper bound only (contract §6.1). */
export function toSearchResponse(hits: readonly SearchHit[]): SearchResponse {
  return { results: [...takeWithinAnswer(hits.map(toSearchResult))] };
}

async function runSearch(
  context: MemoryContext,
  request: SearchRequest,
  scope: StoreSearch['scope'],
  threadId: string | undefined,
): Promise<readonly SearchHit[] | undefined> {
  const query = await createStoreQuery(context, request.query);
  return context.store.search(
    {
      threadId,
      scope,
      recordTypes: [...new Set(request.recordTypes ?? RECORD_TYPES)],
      metadataFilter: request.metadataFilter ?? null,
      maxResults: request.maxResults ?? DEFAULT_MAX_RESULTS,
      query,
      minimums: {},
    },
    { signal: context.signal },
  );
}

/**
 * Searches with the rules of the client level: `userId` must be given (contract §5). One round trip, one query
 * embedding. Errors: `invalid_request`.
 */
export async function search(context: MemoryContext, request: SearchRequest): Promise<SearchResponse> {
  const scope = resolveSearchScope(request, 'client');
  const hits = (await runSearch(context, request, scope, undefined)) ?? [];
  return toSearchResponse(hits);
}

/**
 * Searches from a thread: its user and agent exactly, its own records ahead, unless the request says otherwise
 * (contract §5). One round trip, one query embedding. Errors: `not_found`, `invalid_request`.
 */
export async function searchThread(
  context: MemoryContext,
  threadId: string,
  request: SearchRequest,
): Promise<SearchResponse> {
  const scope = resolveSearchScope(request, 'thread');
  const hits = requireFound(await runSearch(context, request, scope, threadId), 'thread', threadId);
  return toSearchResponse(hits);
}
