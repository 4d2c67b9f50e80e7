import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import type { RecordType } from '../../lib/schemas/record.ts';
import type { SearchScopeObject } from '../../lib/schemas/search.ts';
import type { Owners } from './evaluate-search-scope.ts';

/** A record that the stage holds, and whose it is. */
export interface StagedRecord extends Owners {
  readonly id: string;
  readonly recordType: RecordType;
}

export const THREADS: readonly Owners[] = [
  { threadId: 'thread', userId: 'user', agentId: 'agent' },
  { threadId: 'sibling', userId: 'user', agentId: 'agent' },
  { threadId: 'thread2', userId: 'user2', agentId: 'agent' },
  { threadId: 'foreign', userId: 'user2', agentId: 'agent2' },
];
/** The thread that is searched from. */
export const OWN: Owners = { threadId: 'thread', userId: 'user', agentId: 'agent' };

/** Every owner of memories: the one that is asked for, one whose id begins with it, and none. */
export const MEMORIES: readonly StagedRecord[] = [null, 'user', 'user2'].flatMap((userId) =>
  [null, 'agent', 'agent2'].flatMap((agentId) =>
    [null, 'thread', 'thread2'].map((threadId): StagedRecord => {
      const id = `${userId} ${agentId} ${threadId}`;
      return { id, recordType: threadId === null ? 'fact' : 'memory', userId, agentId, threadId };
    }),
  ),
);
const MESSAGES: readonly StagedRecord[] = THREADS.flatMap((owners) =>
  [1, 2].map(
    (number): StagedRecord => ({
      id: `${owners.threadId} message ${number}`,
      recordType: 'message',
      ...owners,
    }),
  ),
);
const NOBODY: Owners = { userId: null, agentId: null, threadId: null };
const PROFILES: readonly StagedRecord[] = [
  { id: 'user', recordType: 'user_profile', ...NOBODY },
  { id: 'agent', recordType: 'agent_profile', ...NOBODY },
];

/** Everything that the stage holds, in the order in which it is added. */
export const RECORDS: readonly StagedRecord[] = [...MEMORIES, ...MESSAGES, ...PROFILES];

/** What a search of the stage asks for. Each record holds it among other words, so that distances differ. */
export const QUERY = 'green tea';

export function contentOf(record: StagedRecord): string {
  const place = RECORDS.indexOf(record);
  const filler = Array.from({ length: place }, (_, index) => `word${place}x${index}`);
  return [place % 3 === 0 ? 'tea' : 'green tea', `number ${place}`, ...filler].join(' ');
}

/** Threads, messages, memories and profiles; each call of addMessages leaves one extraction job. */
export async function fillScopeStage(memory: AgentMemory): Promise<void> {
  for (const { threadId, userId, agentId } of THREADS) {
    const owners = { threadId: threadId ?? '', userId: userId ?? '', agentId: agentId ?? '' };
    await memory.createThread({ ...owners, extraction: { enableContextSummary: false } });
  }
  for (const record of RECORDS) {
    const { id, recordType, userId, agentId, threadId } = record;
    const content = contentOf(record);
    if (recordType === 'message') {
      const thread = await memory.getThread(threadId ?? '');
      await thread.addMessages([{ id, role: 'user', content }]);
    } else if (recordType === 'user_profile') await memory.addUser(id, content);
    else if (recordType === 'agent_profile') await memory.addAgent(id, content);
    else {
      const memoryType = recordType === 'fact' ? 'fact' : 'memory';
      await memory.addMemory(content, { memoryId: id, memoryType, userId, agentId, threadId });
    }
  }
}

/** Each of the three fields omitted, an id, or null, with each flag true, false or omitted: 9³ requests. */
export function scopeRequests(ids: Readonly<Record<keyof Owners, string>>): readonly SearchScopeObject[] {
  const cells = (field: keyof Owners, flag: keyof SearchScopeObject): readonly SearchScopeObject[] =>
    [{}, { [field]: ids[field] }, { [field]: null }].flatMap((value) =>
      [{}, { [flag]: true }, { [flag]: false }].map((exact) => ({ ...value, ...exact })),
    );
  return cells('userId', 'exactUserMatch').flatMap((user) =>
    cells('agentId', 'exactAgentMatch').flatMap((agent) =>
      cells('threadId', 'exactThreadMatch').map((thread) => ({ ...user, ...agent, ...thread })),
    ),
  );
}
