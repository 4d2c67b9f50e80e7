import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import type { MemoryTally } from '../../lib/store/extraction/extraction-outcome.ts';
import type { Chunk, RecordChange, RecordFamily } from '../../lib/store/records/stored-record.ts';
import type { ScopeDimension, StoreSearch } from '../../lib/store/search/store-search.ts';
import type { StoredThread } from '../../lib/store/threads/stored-thread.ts';
import { matchesFilter as matchesMetadata } from '../store/evaluate-metadata-filter.ts';

/** A record with what the store knows beside it. */
export interface HeldRecord {
  readonly family: RecordFamily;
  readonly record: MemoryRecord;
  readonly sequence: number;
  readonly chunks: readonly Chunk[];
}

const BOOST = 0.95;

function cosineDistance(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  return 1 - dot / Math.sqrt(lengthA * lengthB);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

function keywordDistance(query: string, text: string): number | undefined {
  const wanted = wordsOf(query);
  const held = wordsOf(text);
  const shared = [...wanted].filter((word) => held.has(word)).length;
  return shared === 0 ? undefined : 1 - shared / wanted.size;
}

function chunkDistance(chunk: Chunk, query: StoreSearch['query']): number | undefined {
  if (query.strategy === 'keyword') return keywordDistance(query.text, chunk.text);
  if (chunk.embedding === null) return undefined;
  if (chunk.embedding === 'by_database' || !(query.vector instanceof Float32Array)) {
    throw new Error('a store in memory embeds nothing');
  }
  return cosineDistance(chunk.embedding, query.vector);
}

/** The distance of the nearest chunk; undefined when none can be compared. */
export function nearestDistance(held: HeldRecord, query: StoreSearch['query']): number | undefined {
  const distances = held.chunks.map((chunk) => chunkDistance(chunk, query)).filter((d) => d !== undefined);
  return distances.length === 0 ? undefined : Math.min(...distances);
}

/** The factor on the distance, or undefined when the dimension leaves the record out. */
export function scopeFactor(
  dimension: ScopeDimension,
  value: string | null,
  ofThread: string | null,
): number | undefined {
  switch (dimension.kind) {
    case 'unfiltered':
      return 1;
    case 'exact':
      return value === dimension.value ? 1 : undefined;
    case 'boost':
      return value === dimension.value ? BOOST : 1;
    case 'exact_of_thread':
      return value === ofThread ? 1 : undefined;
    case 'boost_of_thread':
      return value === ofThread ? BOOST : 1;
  }
}

/** The rows that a change leaves. */
export function changedChunks(chunks: readonly Chunk[], change: RecordChange): readonly Chunk[] {
  const { content, retrieval } = change;
  if (content !== undefined) return content.chunks;
  if (retrieval?.kind === 'rows') return retrieval.chunks;
  if (retrieval === undefined) return chunks;
  if (retrieval.kind === 'no_vectors') return chunks.map(({ text }) => ({ text, embedding: null }));
  if (retrieval.vectors.length !== chunks.length) {
    throw invalidRequest('embedding', 'there are not as many retrieval rows');
  }
  return chunks.map(({ text }, index) => ({ text, embedding: retrieval.vectors[index] ?? null }));
}

/** The brute-force evaluator; a filter that the compiler would refuse is not noticed. */
export function matchesFilter(metadata: JsonObject, filter: JsonObject | null): boolean {
  return matchesMetadata(filter ?? {}, metadata);
}

/** The memories of a thread's user and agent with their keys, in the order they were written. */
export function memoriesOf(
  held: ReadonlyMap<string, HeldRecord>,
  { userId, agentId }: Pick<StoredThread, 'userId' | 'agentId'>,
): readonly (readonly [string, HeldRecord])[] {
  return [...held].filter(
    ([, { family, record }]) => family === 'memory' && record.userId === userId && record.agentId === agentId,
  );
}

export function tallyMemories(
  held: ReadonlyMap<string, HeldRecord>,
  positions: ReadonlyMap<string, number>,
  owners: Pick<StoredThread, 'userId' | 'agentId'>,
): MemoryTally {
  const keys = memoriesOf(held, owners).map(([key]) => key);
  return {
    memoryCount: keys.length,
    positionSum: keys.reduce((sum, key) => sum + (positions.get(key) ?? 0), 0),
  };
}
