import { expect } from 'vitest';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

/** What a user may have: a thread with 2 messages and a memory, a memory without thread, a profile. 6 records. */
async function fillUser(stage: MemoryStage, name: string, agentId: string) {
  const { memory, id } = stage;
  const userId = id(name);
  const thread = await plainThread(stage, { threadId: id(`thread of ${name}`), userId, agentId });
  await thread.addMessages(['one', 'two'].map((word) => ({ role: 'user', content: `${word} of ${name}` })));
  const inThread = await thread.addMemory(`in the thread of ${name}`);
  const alone = await memory.addMemory(`alone of ${name}`, { userId });
  await memory.addUser(userId, `profile of ${name}`);
  return { userId, thread, inThread, alone };
}

async function listed(records: AsyncIterable<MemoryRecord>): Promise<number> {
  let count = 0;
  for await (const _ of records) count += 1;
  return count;
}

/** Counts of everything that can be reached of a user: thread, messages, memories, search hits, profile. */
async function reach({ memory }: MemoryStage, user: Awaited<ReturnType<typeof fillUser>>) {
  const { userId, thread } = user;
  const messages = await thread.getMessages().then(
    (found) => found.length,
    () => 0,
  );
  const profile = await memory.getUser(userId).then(
    () => 1,
    () => 0,
  );
  const hits = await memory.search('of', { userId, maxResults: 100 });
  return { messages, memories: await listed(memory.iterateMemories({ userId })), hits: hits.length, profile };
}

const ALL = { messages: 2, memories: 2, hits: 4, profile: 1 };
const NOTHING = { messages: 0, memories: 0, hits: 0, profile: 0 };

export const CASCADE_CASES: Readonly<Record<string, MemoryCase>> = {
  'deleteUser without cascade deletes the profile alone (contract §3.3)': async (stage) => {
    const { memory, id } = stage;
    const user = await fillUser(stage, 'user', id('agent'));
    expect(await memory.deleteUser(user.userId, { dryRun: true })).toBe(1);
    expect(await memory.deleteUser(user.userId)).toBe(1);
    expect(await reach(stage, user)).toEqual({ ...ALL, profile: 0 });
    expect(await memory.deleteUser(user.userId, { cascade: false })).toBe(0);
    expect(await memory.deleteUser(user.userId, { dryRun: true })).toBe(0);
  },

  'deleteUser with cascade takes everything of that user and nothing of another (contract §3.3)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const users = await Promise.all(['user', 'user2', '%'].map((name) => fillUser(stage, name, id('agent'))));
    for (const [index, user] of users.entries()) {
      expect(await memory.deleteUser(user.userId, { cascade: true, dryRun: true })).toBe(6);
      expect(await reach(stage, user)).toEqual(ALL);
      expect(await memory.deleteUser(user.userId, { cascade: true })).toBe(6);
      expect(await reach(stage, user)).toEqual(NOTHING);
      await expectError(memory.getThread(user.thread.threadId), 'not_found');
      await expectError(memory.getMemory(user.inThread), 'not_found');
      await expectError(memory.getMemory(user.alone), 'not_found');
      for (const other of users.slice(index + 1)) expect(await reach(stage, other)).toEqual(ALL);
      expect(await memory.deleteUser(user.userId, { cascade: true })).toBe(0);
    }
  },

  'deleteAgent with cascade takes its threads, a user with the same id keeps everything (contract §3.3)':
    async (stage) => {
      const { memory, id } = stage;
      const same = await fillUser(stage, 'same', id('helper'));
      const served = await fillUser(stage, 'served', same.userId);
      await memory.addAgent(same.userId, 'an agent with the id of a user');
      expect(await memory.deleteAgent(same.userId, { cascade: true, dryRun: true })).toBe(5);
      expect(await memory.deleteAgent(same.userId, { cascade: true })).toBe(5);
      await expectError(memory.getAgent(same.userId), 'not_found');
      expect(await reach(stage, same)).toEqual(ALL);
      expect(await reach(stage, served)).toEqual({ messages: 0, memories: 1, hits: 1, profile: 1 });
    },

  "a record of another user in an owned thread goes with the thread (contract §3.3, 'owned')": async (
    stage,
  ) => {
    const { memory, id } = stage;
    const owner = await fillUser(stage, 'owner', id('agent'));
    const guest = await fillUser(stage, 'guest', id('agent'));
    const inThread = await owner.thread.addMemory('of the guest', { userId: guest.userId });
    const abroad = await guest.thread.addMemory('of the owner', { userId: owner.userId });
    expect(await memory.deleteUser(owner.userId, { cascade: true })).toBe(8);
    await expectError(memory.getMemory(inThread), 'not_found');
    await expectError(memory.getMemory(abroad), 'not_found');
    expect(await reach(stage, guest)).toEqual(ALL);
  },

  'deleteThread keeps memories without that thread and profiles (contract §3.3)': async (stage) => {
    const { memory, id } = stage;
    const user = await fillUser(stage, 'user', id('agent'));
    expect(await memory.deleteThread(user.thread.threadId)).toBe(1);
    expect(await reach(stage, user)).toEqual({ messages: 0, memories: 1, hits: 1, profile: 1 });
  },

  'options of a delete are checked (contract §2)': async ({ memory, id }) => {
    const wrong: readonly [object, string][] = [
      [{ cascade: 'yes' }, 'cascade'],
      [{ dryRun: 1 }, 'dryRun'],
      [{ recursive: true }, 'recursive'],
    ];
    for (const [options, path] of wrong) {
      await expectError(memory.deleteUser(id('user'), options), 'invalid_request', path);
      await expectError(memory.deleteAgent(id('user'), options), 'invalid_request', path);
    }
  },
};
