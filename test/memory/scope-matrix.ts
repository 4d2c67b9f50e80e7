import { expect } from 'vitest';
import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import type { SearchOptions, SearchResult, SearchScopeObject } from '../../lib/schemas/search.ts';
import { expectError } from '../conformance/memory-stage.ts';
import {
  type Level,
  type Owners,
  refusedField,
  scopeFactorOf,
  withoutBoosts,
} from './evaluate-search-scope.ts';
import { OWN, QUERY, RECORDS, scopeRequests } from './scope-stage.ts';

const EVERYTHING = 100;
const FEW = 4;
/** Digits to which a distance is what the table says. */
const DIGITS = 9;

/** At the thread the ids of another thread, which an omitted field would not give; elsewhere those of the records. */
const IDS: Readonly<Record<Level, Readonly<Record<keyof Owners, string>>>> = {
  thread: { userId: 'user2', agentId: 'agent2', threadId: 'thread2' },
  client: { userId: 'user', agentId: 'agent', threadId: 'thread' },
  store: { userId: 'user', agentId: 'agent', threadId: 'thread' },
};

/** Every request of a level, or those that say nothing of one dimension at least. */
export function requestsOf(level: Level, which: 'all' | 'pairs'): readonly SearchScopeObject[] {
  const speaksOf = (request: SearchScopeObject, name: string) =>
    Object.keys(request).some((key) => key.toLowerCase().includes(name));
  return scopeRequests(IDS[level]).filter(
    (request) => which === 'all' || !['user', 'agent', 'thread'].every((name) => speaksOf(request, name)),
  );
}

type Run = (scope: SearchScopeObject, maxResults: number) => Promise<readonly SearchResult[]>;

/** Searches at a level; ids and flags stand in the request itself, or in a prebuilt scope where there is one. */
async function runnerAt(memory: AgentMemory, level: Level, prebuilt: boolean): Promise<Run> {
  const place = (scope: SearchScopeObject): SearchOptions => (prebuilt ? { scope } : scope);
  if (level === 'store') return (scope, k) => memory.records.search({ ...scope, query: QUERY, k });
  if (level === 'client') return (scope, maxResults) => memory.search(QUERY, { ...place(scope), maxResults });
  const thread = await memory.getThread(OWN.threadId ?? '');
  return (scope, maxResults) => thread.search(QUERY, { ...place(scope), maxResults });
}

const keyOf = (result: { readonly recordType: string; readonly id: string }) =>
  `${result.recordType} ${result.id}`;

/** Distances without a boost among the records that a request shows, since what is rare depends on what is seen. */
function createBaseline(
  memory: AgentMemory,
): (scope: SearchScopeObject) => Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return async (scope) => {
    const key = JSON.stringify(scope);
    const distances =
      known.get(key) ??
      new Map(
        (await memory.records.search({ ...scope, query: QUERY, k: EVERYTHING })).map((result) => [
          keyOf(result),
          result.distance,
        ]),
      );
    known.set(key, distances);
    return distances;
  };
}

/** What the table of contract §5 shows, by name, each with its boosted distance. */
function expectedHits(
  level: Level,
  request: SearchScopeObject,
  baseline: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map(
    RECORDS.flatMap((record) => {
      const factor = scopeFactorOf(level, request, OWN, record);
      if (factor === undefined) return [];
      const distance = baseline.get(keyOf(record));
      return [[keyOf(record), (distance ?? Number.NaN) * factor]];
    }),
  );
}

function checkHits(
  hits: readonly SearchResult[],
  expected: ReadonlyMap<string, number>,
  maxResults: number,
  cell: string,
): void {
  const nearest = [...expected.values()].toSorted((one, other) => one - other).slice(0, maxResults);
  const distances = hits.map(({ distance }) => distance);
  expect(distances.length, cell).toBe(nearest.length);
  for (const [index, hit] of hits.entries()) {
    expect(hit.distance, `${cell}: ${keyOf(hit)}`).toBeCloseTo(
      expected.get(keyOf(hit)) ?? Number.NaN,
      DIGITS,
    );
    expect(hit.distance, `${cell}: place ${index}`).toBeCloseTo(nearest[index] ?? Number.NaN, DIGITS);
  }
  expect(new Set(hits.map(keyOf)).size, cell).toBe(hits.length);
}

/**
 * Runs every request at a level and compares records, distances, order and cut with the table; returns how many there
 * were. Every second one gives its ids in a prebuilt scope.
 */
export async function checkScopeMatrix(
  memory: AgentMemory,
  level: Level,
  requests: readonly SearchScopeObject[],
): Promise<number> {
  const baselineOf = createBaseline(memory);
  const runners = [await runnerAt(memory, level, false), await runnerAt(memory, level, true)] as const;
  for (const [index, request] of requests.entries()) {
    const run = runners[index % 2 === 0 ? 0 : 1];
    const cell = `${level} ${JSON.stringify(request)}`;
    const refused = refusedField(level, request);
    if (refused !== undefined) {
      const path = index % 2 === 0 ? refused : `scope.${refused}`;
      await expectError(run(request, FEW), 'invalid_request', path);
      continue;
    }
    const expected = expectedHits(level, request, await baselineOf(withoutBoosts(level, request, OWN)));
    checkHits(await run(request, EVERYTHING), expected, EVERYTHING, cell);
    if (index % 9 === 0) checkHits(await run(request, FEW), expected, FEW, cell);
  }
  return requests.length;
}
