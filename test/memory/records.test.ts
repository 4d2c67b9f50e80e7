import { describe, expect, it } from 'vitest';
import { addMemory, addThreadMemory, deleteMemory, getMemory } from '../../lib/memory/memories.ts';
import { addAgent, addUser, getAgent, getUser } from '../../lib/memory/profiles.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createTestContext } from './test-context.ts';

async function setUp() {
  const fakes = createTestContext();
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a' });
  return fakes;
}

describe('addThreadMemory (contract §4.3)', () => {
  it('belongs to the thread and its owners unless an id is given or null', async () => {
    const { context } = await setUp();
    const own = await addThreadMemory(context, 't', { content: 'own' });
    const other = await addThreadMemory(context, 't', { content: 'other', userId: 'v', agentId: null });
    expect(await getMemory(context, own.id)).toMatchObject({
      recordType: 'memory',
      content: 'own',
      metadata: {},
      userId: 'u',
      agentId: 'a',
      threadId: 't',
    });
    expect(await getMemory(context, other.id)).toMatchObject({ userId: 'v', agentId: null, threadId: 't' });
  });

  it('answers not_found for an unknown thread', async () => {
    const { context } = await setUp();
    await expect(addThreadMemory(context, 'nobody', { content: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('costs one round trip and one embedding call', async () => {
    const { context, store, embedder } = await setUp();
    await addThreadMemory(context, 't', { content: 'x' });
    expect(store.calls.slice(1)).toEqual(['addRecord']);
    expect(embedder.calls).toHaveLength(1);
  });
});

describe('addMemory (contract §3.2)', () => {
  it('has no default scope', async () => {
    const { context } = await setUp();
    const { id } = await addMemory(context, { content: 'x', agentId: 'a', memoryType: 'guideline' });
    expect(await getMemory(context, id)).toMatchObject({
      recordType: 'guideline',
      userId: null,
      agentId: 'a',
      threadId: null,
    });
  });

  it('keeps the given id, metadata and event time', async () => {
    const { context } = await setUp();
    const timestamp = '2025-05-05T05:05:05.000Z';
    await addMemory(context, { content: 'x', memoryId: 'mine', metadata: { k: 1 }, timestamp });
    expect(await getMemory(context, 'mine')).toMatchObject({ metadata: { k: 1 }, timestamp });
  });

  it.each([[undefined], [null]])(
    'needs a timestamp for the timestamp anchor, %s is none (§11)',
    async (timestamp) => {
      const { context, store } = await setUp();
      await expect(
        addMemory(context, { content: 'x', ttlAnchor: 'timestamp', timestamp }),
      ).rejects.toMatchObject({
        code: 'invalid_request',
        issues: [{ path: 'timestamp' }],
      });
      expect(store.calls).not.toContain('addRecord');
    },
  );

  it('answers conflict for a taken id, not_found for an unknown one, and 0 or 1 for a delete (D7)', async () => {
    const { context } = await setUp();
    await addMemory(context, { content: 'x', memoryId: 'm' });
    await expect(addMemory(context, { content: 'y', memoryId: 'm' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await deleteMemory(context, 'm')).toBe(1);
    expect(await deleteMemory(context, 'm')).toBe(0);
    await expect(getMemory(context, 'm')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('profiles (contract §3.2)', () => {
  it('are unscoped records whose id is the actor id; a user and an agent may share it', async () => {
    const { context } = await setUp();
    await addUser(context, { userId: 'x', information: 'Ana likes tea', metadata: { plan: 'pro' } });
    await addAgent(context, { agentId: 'x', information: 'A travel agent' });
    expect(await getUser(context, 'x')).toMatchObject({
      id: 'x',
      recordType: 'user_profile',
      content: 'Ana likes tea',
      metadata: { plan: 'pro' },
      userId: null,
      agentId: null,
      threadId: null,
    });
    expect(await getAgent(context, 'x')).toMatchObject({ recordType: 'agent_profile' });
  });

  it('answer conflict when taken and not_found when unknown (D7)', async () => {
    const { context } = await setUp();
    await addUser(context, { userId: 'x', information: 'one' });
    await expect(addUser(context, { userId: 'x', information: 'two' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(getAgent(context, 'x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(getUser(context, 'y')).rejects.toMatchObject({ code: 'not_found' });
  });
});
