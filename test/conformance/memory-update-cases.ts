import { expect } from 'vitest';
import type { UpdateMemoryRequest } from '../../lib/schemas/memory.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

const TIMESTAMP = '2026-06-01T00:00:00.000Z';
const DAY = 86_400_000;

function daysAfter(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * DAY).toISOString();
}

/** The record after an update, without the time of the update. */
async function changed(stage: MemoryStage, memoryId: string, request: UpdateMemoryRequest) {
  expect(await stage.memory.updateMemory(memoryId, request)).toBe(memoryId);
  return withoutUpdate(await stage.memory.getMemory(memoryId));
}

function withoutUpdate({ updatedAt: _, ...record }: MemoryRecord) {
  return record;
}

export const UPDATE_CASES: Readonly<Record<string, MemoryCase>> = {
  'updateMemory changes what is given and keeps the rest (contract §4.5)': async (stage) => {
    const thread = await plainThread(stage);
    const id = await thread.addMemory('Ana drinks tea', {
      memoryType: 'preference',
      metadata: { a: 1, nested: { b: 2 } },
      timestamp: TIMESTAMP,
      ttlDays: 1_000,
    });
    const kept = withoutUpdate(await stage.memory.getMemory(id));
    expect(await changed(stage, id, { content: 'Ana drinks coffee' })).toEqual({
      ...kept,
      content: 'Ana drinks coffee',
    });
    expect(await changed(stage, id, { metadata: { c: 3 } })).toEqual({
      ...kept,
      content: 'Ana drinks coffee',
      metadata: { c: 3 },
    });
    expect((await changed(stage, id, { metadata: null })).metadata).toEqual({});
  },

  'updatedAt moves with an update, createdAt stays (contract §4.5)': async ({ memory }) => {
    const id = await memory.addMemory('first');
    const before = await memory.getMemory(id);
    await memory.updateMemory(id, { metadata: { a: 1 } });
    const after = await memory.getMemory(id);
    expect(after.createdAt).toBe(before.createdAt);
    expect(after.updatedAt > before.updatedAt).toBe(true);
  },

  'an update without a field changes nothing, but only of a memory that exists (contract §4.5)': async (
    stage,
  ) => {
    const id = await stage.memory.addMemory('as it is', { metadata: { a: 1 } });
    const before = await stage.memory.getMemory(id);
    expect(await stage.memory.updateMemory(id, {})).toBe(id);
    expect(await stage.memory.getMemory(id)).toEqual(before);
    await expectError(stage.memory.updateMemory(stage.id('none'), {}), 'not_found');
  },

  'an omitted timestamp stays, null shows the time of creation (contract §4.5)': async (stage) => {
    const id = await stage.memory.addMemory('timed', { timestamp: TIMESTAMP });
    expect((await changed(stage, id, { content: 'still timed' })).timestamp).toBe(TIMESTAMP);
    expect((await changed(stage, id, { timestamp: '2020-02-02T02:02:02+02:00' })).timestamp).toBe(
      '2020-02-02T00:02:02.000Z',
    );
    const cleared = await changed(stage, id, { timestamp: null });
    expect(cleared.timestamp).toBe(cleared.createdAt);
  },

  'an update moves the expiry by the rules of contract §4.5': async (stage) => {
    const id = await stage.memory.addMemory('short', { timestamp: TIMESTAMP, ttlDays: 400 });
    const { createdAt } = await stage.memory.getMemory(id);
    const steps: readonly [UpdateMemoryRequest, string | null][] = [
      [{ content: 'both omitted: unchanged' }, daysAfter(createdAt, 400)],
      [{ ttlDays: 500 }, daysAfter(createdAt, 500)],
      [{ ttlDays: 600, ttlAnchor: 'timestamp' }, daysAfter(TIMESTAMP, 600)],
      [{ timestamp: '2026-07-01T00:00:00Z' }, daysAfter(TIMESTAMP, 600)],
      [
        { timestamp: '2026-08-01T00:00:00Z', ttlDays: 700, ttlAnchor: 'timestamp' },
        daysAfter('2026-08-01T00:00:00Z', 700),
      ],
      [{ ttlDays: null }, null],
      [{ ttlDays: 36_500, ttlAnchor: 'created_at' }, daysAfter(createdAt, 36_500)],
      [{ ttlAnchor: 'created_at' }, null],
    ];
    for (const [request, expiresAt] of steps) {
      expect((await changed(stage, id, request)).expiresAt, JSON.stringify(request)).toBe(expiresAt);
    }
  },

  'a timestamp anchor needs a new or a stored timestamp (contract §4.5)': async (stage) => {
    const id = await stage.memory.addMemory('untimed');
    const before = await stage.memory.getMemory(id);
    for (const ttlDays of [7, null, undefined]) {
      const request = { metadata: { a: 1 }, ttlDays, ttlAnchor: 'timestamp' } as const;
      await expectError(stage.memory.updateMemory(id, request), 'invalid_request', 'ttlAnchor');
      await expectError(
        stage.memory.updateMemory(id, { ...request, timestamp: null }),
        'invalid_request',
        'timestamp',
      );
    }
    expect(await stage.memory.getMemory(id)).toEqual(before);
  },

  'an expired memory can neither be used nor refreshed (contract §4.5, §11)': async (stage) => {
    const { memory } = stage;
    const userId = stage.id('user');
    const id = await memory.addMemory('gone by tomorrow', { userId, timestamp: '2020-01-01T00:00:00Z' });
    await memory.updateMemory(id, { ttlDays: 1, ttlAnchor: 'timestamp' });
    await expectError(memory.getMemory(id), 'not_found');
    await expectError(memory.updateMemory(id, { ttlDays: null }), 'not_found');
    await expectError(memory.updateMemory(id, {}), 'not_found');
    expect((await memory.listMemories({ userId })).items).toEqual([]);
    expect(await memory.search('gone by tomorrow', { userId })).toEqual([]);
  },

  'changed content is found by its new words alone (contract §4.5)': async (stage) => {
    const { memory } = stage;
    const userId = stage.id('user');
    const long = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
    const id = await memory.addMemory(`${long} zeppelin hangar`, { userId });
    await memory.updateMemory(id, { content: 'trains to Porto' });
    const [hit, ...others] = await memory.search('trains to Porto', { userId });
    expect(others).toEqual([]);
    expect(hit?.id).toBe(id);
    expect(hit?.distance).toBeCloseTo(0, 4);
    const [gone] = await memory.search('zeppelin hangar', { userId });
    expect(gone?.content).toBe('trains to Porto');
    expect(gone?.distance).toBeGreaterThan(0.3);
  },

  'metadata never moves a memory to another owner (contract §4.5)': async (stage) => {
    const { memory } = stage;
    const victim = stage.id('victim');
    const thread = await plainThread(stage);
    const id = await thread.addMemory('of the owner');
    const { userId, agentId, threadId } = await memory.getMemory(id);
    const metadata = {
      user_id: victim,
      userId: victim,
      tenant_id: victim,
      agent_id: victim,
      threadId: victim,
    };
    await memory.updateMemory(id, { metadata, content: 'still of the owner' });
    expect(await memory.getMemory(id)).toMatchObject({ metadata, userId, agentId, threadId });
    expect(await memory.search('still of the owner', { userId: victim })).toEqual([]);
    expect((await memory.listMemories({ userId: victim })).items).toEqual([]);
  },

  'thread.updateMemory and thread.deleteMemory reach exactly their thread (contract §4.4, §4.5)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const other = await plainThread(stage, { threadId: id('thread-2') });
    const own = await thread.addMemory('own');
    const elsewhere = await thread.addMemory('elsewhere', { threadId: id('thread-2') });
    const unscoped = await memory.addMemory('unscoped');
    for (const foreign of [elsewhere, unscoped, id('none')]) {
      await expectError(thread.updateMemory(foreign, { content: 'stolen' }), 'not_found');
      await expectError(thread.updateMemory(foreign, {}), 'not_found');
      expect(await thread.deleteMemory(foreign)).toBe(0);
    }
    expect((await memory.getMemory(elsewhere)).content).toBe('elsewhere');
    expect(await thread.updateMemory(own, { content: 'changed' })).toBe(own);
    expect((await memory.getMemory(own)).content).toBe('changed');
    expect(await other.updateMemory(elsewhere, { metadata: { a: 1 } })).toBe(elsewhere);
    expect(await thread.deleteMemory(own)).toBe(1);
    expect(await thread.deleteMemory(own)).toBe(0);
    expect(await other.deleteMemory(elsewhere)).toBe(1);
  },

  'a message or a profile is no memory to update or delete (contract §4.5)': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await thread.addMessages([{ id: id('same'), role: 'user', content: 'a message' }]);
    await memory.addUser(id('same'), 'a profile');
    await expectError(memory.updateMemory(id('same'), { content: 'x' }), 'not_found');
    await expectError(thread.updateMemory(id('same'), { content: 'x' }), 'not_found');
    expect(await thread.deleteMemory(id('same'))).toBe(0);
    expect(await memory.deleteMemory(id('same'))).toBe(0);
    expect((await thread.getMessages()).map(({ content }) => content)).toEqual(['a message']);
  },

  'invalid updates are refused by name (contract §4.5)': async (stage) => {
    const id = await stage.memory.addMemory('as it is');
    const wrong: readonly [object, string][] = [
      [{ content: null }, 'content'],
      [{ content: ' ' }, 'content'],
      [{ metadata: [] }, 'metadata'],
      [{ timestamp: 'yesterday' }, 'timestamp'],
      [{ ttlDays: 0 }, 'ttlDays'],
      [{ ttlDays: 36_501 }, 'ttlDays'],
      [{ ttlAnchor: 'updated_at' }, 'ttlAnchor'],
      [{ memoryType: 'fact' }, 'memoryType'],
      [{ userId: 'other' }, 'userId'],
      [{ id: 'other' }, 'id'],
    ];
    for (const [request, path] of wrong) {
      await expectError(stage.memory.updateMemory(id, request), 'invalid_request', path);
    }
    expect((await stage.memory.getMemory(id)).content).toBe('as it is');
  },

  'profiles are updated field by field and keep their id (contract §3.2)': async ({ memory, id }) => {
    await memory.addUser(id('actor'), 'Ana cooks', { plan: 'pro', seats: 2 });
    await memory.addAgent(id('actor'), 'Plans meals');
    expect(await memory.updateUser(id('actor'), { information: 'Ana bakes' })).toBe(id('actor'));
    expect(await memory.getUser(id('actor'))).toMatchObject({
      content: 'Ana bakes',
      metadata: { plan: 'pro', seats: 2 },
      userId: null,
      expiresAt: null,
    });
    expect(await memory.updateUser(id('actor'), { metadata: { plan: 'free' } })).toBe(id('actor'));
    expect(await memory.updateAgent(id('actor'), { metadata: null })).toBe(id('actor'));
    expect(await memory.getUser(id('actor'))).toMatchObject({
      content: 'Ana bakes',
      metadata: { plan: 'free' },
    });
    expect(await memory.getAgent(id('actor'))).toMatchObject({ content: 'Plans meals', metadata: {} });
    for (const request of [{ information: null }, { information: '' }]) {
      const change: object = request;
      await expectError(memory.updateUser(id('actor'), change), 'invalid_request', 'information');
    }
    for (const request of [{ information: 'x' }, { metadata: {} }, {}]) {
      await expectError(memory.updateUser(id('nobody'), request), 'not_found');
      await expectError(memory.updateAgent(id('nobody'), request), 'not_found');
    }
  },
};
