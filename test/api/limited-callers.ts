import { createHash } from 'node:crypto';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { CallerLimits } from '../../lib/schemas/caller-limits.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { createScriptedLlm } from '../../lib/testing/scripted-llm.ts';
import { type ApiFixture, type ApiFixtureOptions, startApi } from './api-fixture.ts';

/** Whose a thread or a record is. */
export interface Owners {
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly threadId: string | null;
}

/** `an` begins like `ana`, and an id may hold anything. */
export const USERS = ['ana', 'an', 'bob', `o'neill "日本"`] as const;
export const AGENTS = ['guide', 'cook'] as const;
export const THREADS: readonly (Owners & { readonly threadId: string })[] = USERS.flatMap((userId) =>
  AGENTS.map((agentId) => ({ threadId: `${userId}/${agentId}`, userId, agentId })),
);

/** Callers with limits, by the key that they send. */
export const LIMITED: Readonly<Record<string, CallerLimits>> = {
  'key-ana': { users: ['ana'] },
  'key-two': { users: ['an', `o'neill "日本"`] },
  'key-guide': { agents: ['guide'] },
  'key-thread': { threads: ['ana/guide', 'bob/cook'] },
  'key-pair': { users: ['ana', 'bob'], agents: ['cook'] },
  'key-own-thread': { users: ['ana'], threads: ['ana/guide', 'bob/guide'] },
  'key-all-three': { users: ['ana'], agents: ['guide'], threads: ['ana/guide'] },
  'key-nobody': { users: [] },
  'key-stranger': { users: ['stranger'] },
};
const KEYS: Readonly<Record<string, CallerLimits>> = { 'key-all': {}, ...LIMITED };

/** The rule of the HTTP API contract, literally: a value in each list; a profile counts by its own id. */
export function isVisible(record: MemoryRecord, limits: CallerLimits): boolean {
  const { users, agents } = limits;
  if (record.recordType === 'user_profile')
    return users === undefined ? isFree(limits) : users.includes(record.id);
  if (record.recordType === 'agent_profile')
    return agents === undefined ? isFree(limits) : agents.includes(record.id);
  return isInside(record, limits);
}

function isFree({ users, agents, threads }: CallerLimits): boolean {
  return users === undefined && agents === undefined && threads === undefined;
}

/** Whether owners are within limits. */
export function isInside({ userId, agentId, threadId }: Owners, limits: CallerLimits): boolean {
  const has = (list: readonly string[] | undefined, value: string | null) =>
    list === undefined || (value !== null && list.includes(value));
  return has(limits.users, userId) && has(limits.agents, agentId) && has(limits.threads, threadId);
}

/** A service with the keys above. */
export function startLimitedApi(options: ApiFixtureOptions = {}): Promise<ApiFixture> {
  const keys = Object.entries(KEYS).map(([key, limits]) => ({
    id: key,
    sha256: createHash('sha256').update(key).digest('hex'),
    scopes: ['*'],
    ...limits,
  }));
  const llm = createScriptedLlm((call) =>
    call.purpose === 'memory_extraction'
      ? { memories: [] }
      : { summary: 'A summary.', topics: [], content: 'x' },
  );
  return startApi({
    llm,
    ...options,
    variables: {
      AUTH_MODE: 'api-key',
      API_KEYS: JSON.stringify(keys),
      MEMORY_EXTRACTION: '{"enableContextSummary":false,"memoryExtractionFrequency":1}',
      ...options.variables,
    },
  });
}

/** The typed client with one of the keys. */
export function clientOf(api: ApiFixture, apiKey: string): AgentMemoryApi {
  return createAgentMemoryClient({
    baseUrl: 'http://memory.test',
    apiKey,
    fetch: (url, init) => api.app.request(url, init),
    wait: () => Promise.resolve(),
  });
}

/** Numbers from 0 to 1 that look random and are the same each time. */
function createRandom(): () => number {
  let state = 20_261_130;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Threads with messages, some of others among them, memories of every mix of owners, and profiles. */
export async function fillLimitedStage(memory: AgentMemoryApi): Promise<void> {
  const random = createRandom();
  const oneOf = <Value>(values: readonly Value[]): Value | null =>
    values[Math.floor(random() * values.length)] ?? null;
  for (const { threadId, userId, agentId } of THREADS) {
    const thread = await memory.createThread({ threadId, userId: userId ?? '', agentId: agentId ?? '' });
    await thread.addMessages([
      { role: 'user', content: `canary: I am ${userId} with ${agentId} in the garden.` },
      { role: 'assistant', content: `canary: noted for ${threadId}.` },
    ]);
  }
  await memory.records.add({
    recordType: 'message',
    contents: ['canary: bob speaks in the garden of ana.', 'canary: nobody speaks.', 'canary: ana at bob.'],
    roles: 'user',
    threadIds: ['ana/guide', 'ana/guide', 'bob/guide'],
    userIds: ['bob', null, 'ana'],
  });
  for (let index = 0; index < 60; index += 1) {
    const threadId = oneOf([...THREADS.map((thread) => thread.threadId), 'no-row', null, null]);
    const [userId, agentId] = [oneOf([...USERS, null]), oneOf([...AGENTS, null])];
    const memoryType = oneOf(['fact', 'preference', 'guideline', 'memory'] as const) ?? 'memory';
    const content = `canary ${index}: the garden of ${userId} ${random() < 0.5 ? 'with roses' : 'is green'}.`;
    await memory.addMemory(content, { memoryId: `memory-${index}`, memoryType, userId, agentId, threadId });
  }
  for (const userId of [...USERS, 'carl']) await memory.addUser(userId, `canary: ${userId} has a garden.`);
  for (const agentId of [...AGENTS, 'smith'])
    await memory.addAgent(agentId, `canary: ${agentId} knows gardens.`);
}
