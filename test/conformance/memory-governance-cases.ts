import { expect } from 'vitest';
import type { AuditEntry } from '../../lib/schemas/audit.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

/** The audit trail of this case's user, oldest first. */
async function auditOf({ memory, id }: MemoryStage): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of memory.iterateAudit({ userId: id('user'), limit: 2 })) entries.push(entry);
  return entries.toReversed();
}

const whatAndHow = ({ operation, subject, ids, total }: AuditEntry) => ({ operation, subject, ids, total });

/** Earlier forms of memories. */
export const HISTORY_CASES: Readonly<Record<string, MemoryCase>> = {
  'each change of a memory keeps its earlier form, newest first': async ({ memory, id }) => {
    const memoryId = await memory.addMemory('Ana lives in Bern', {
      memoryId: id('memory'),
      memoryType: 'fact',
      metadata: { source: 'a' },
      timestamp: '2026-01-31T09:30:00Z',
    });
    expect(await memory.getMemoryHistory(memoryId)).toEqual({ items: [], nextCursor: null });
    await memory.updateMemory(memoryId, { content: 'Ana lives in Basel' });
    await memory.updateMemory(memoryId, { metadata: { source: 'b' }, timestamp: null });
    const { items } = await memory.getMemoryHistory(memoryId);
    const common = {
      memoryType: 'fact',
      status: 'active',
      metadata: { source: 'a' },
      operation: 'updateMemory',
    };
    const timestamp = '2026-01-31T09:30:00.000Z';
    expect(items).toMatchObject([
      { ...common, content: 'Ana lives in Basel', timestamp },
      { ...common, content: 'Ana lives in Bern', timestamp },
    ]);
    expect(items[0]?.updatedAt).toBe(items[1]?.replacedAt);
    expect(items[0]?.callerId).not.toBe('');
  },

  'history is paged, and an update that changes nothing is none of it': async ({ memory }) => {
    const memoryId = await memory.addMemory('0');
    for (const content of ['1', '2', '3', '4', '5']) await memory.updateMemory(memoryId, { content });
    await memory.updateMemory(memoryId, {});
    const read: (string | null)[] = [];
    for await (const { content } of memory.iterateMemoryHistory(memoryId, { limit: 2 })) read.push(content);
    expect(read).toEqual(['4', '3', '2', '1', '0']);
  },

  'history goes with its memory, also when another one takes its id': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    const memoryId = await thread.addMemory('one', { memoryId: id('memory') });
    await memory.updateMemory(memoryId, { content: 'two' });
    await memory.deleteMemory(memoryId);
    await expectError(memory.getMemoryHistory(memoryId), 'not_found');
    await thread.addMemory('three', { memoryId });
    expect((await memory.getMemoryHistory(memoryId)).items).toEqual([]);
    await thread.updateMemory(memoryId, { content: 'four' });
    await memory.deleteThread(thread.threadId);
    await memory.addMemory('five', { memoryId });
    expect((await memory.getMemoryHistory(memoryId)).items).toEqual([]);
  },

  'a memory that another superseded has the form that was active, replaced by the job': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    await thread.addMessages([{ role: 'user', content: 'I live in Paris.' }]);
    const second = await thread.addMessages([{ role: 'user', content: 'I moved. I live in Rome now.' }]);
    const { items } = await stage.memory.listMemories({ userId: stage.id('user'), status: 'superseded' });
    expect(items).toHaveLength(1);
    const history = await stage.memory.getMemoryHistory(items[0]?.id ?? '');
    expect(history.items).toMatchObject([
      { status: 'active', content: items[0]?.content, callerId: `job:${second.extraction.jobId}` },
    ]);
  },
};

/** The audit trail, and what a deletion leaves. */
export const AUDIT_CASES: Readonly<Record<string, MemoryCase>> = {
  'every write leaves an entry with ids and owners, and no content': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await memory.addUser(id('user'), 'SECRET profile');
    const { ids } = await thread.addMessages([
      { role: 'user', content: 'SECRET one' },
      { role: 'user', content: 'SECRET two' },
    ]);
    const memoryId = await thread.addMemory('SECRET fact', { metadata: { key: 'SECRET' } });
    await memory.updateMemory(memoryId, { content: 'SECRET change' });
    await thread.update({ metadata: { key: 'SECRET' } });
    await thread.deleteMessage(ids[0] ?? '');
    await memory.deleteMemory(memoryId);
    await memory.deleteMemory(memoryId);
    await memory.deleteThread(thread.threadId);
    const entries = await auditOf(stage);
    const { threadId } = thread;
    expect(entries.map(whatAndHow)).toEqual([
      { operation: 'createThread', subject: 'thread', ids: [threadId], total: 1 },
      { operation: 'addUser', subject: 'user', ids: [id('user')], total: 1 },
      { operation: 'addMessages', subject: 'message', ids, total: 2 },
      {
        operation: expect.stringMatching(/^add(?:Thread)?Memory$/),
        subject: 'memory',
        ids: [memoryId],
        total: 1,
      },
      { operation: 'updateMemory', subject: 'memory', ids: [memoryId], total: 1 },
      { operation: 'updateThread', subject: 'thread', ids: [threadId], total: 1 },
      { operation: 'deleteMessage', subject: 'message', ids: [ids[0]], total: 1 },
      { operation: 'deleteMemory', subject: 'memory', ids: [memoryId], total: 1 },
      { operation: 'deleteThread', subject: 'thread', ids: [threadId], total: 2 },
    ]);
    expect(entries.at(2)).toMatchObject({ userId: id('user'), agentId: id('agent'), threadId });
    expect(JSON.stringify(entries)).not.toContain('SECRET');
  },

  'a write about several owners leaves an entry for each': async ({ memory, id }) => {
    await memory.records.add({
      recordType: 'fact',
      contents: ['one', 'two', 'three'],
      recordIds: [id('1'), id('2'), id('3')],
      userIds: [id('user'), id('other'), id('user')],
    });
    const { items } = await memory.listAudit({ userId: id('user') });
    expect(items).toMatchObject([
      { operation: 'addRecords', subject: 'memory', ids: [id('1'), id('3')], total: 2 },
    ]);
    expect((await memory.listAudit({ userId: id('other') })).items).toMatchObject([{ ids: [id('2')] }]);
  },

  'a deleted user leaves one entry, with how much went': async (stage) => {
    const { memory, id } = stage;
    const thread = await plainThread(stage);
    await memory.addUser(id('user'), 'rows');
    await thread.addMemory('likes boats');
    expect(await memory.deleteUser(id('user'), { cascade: true, dryRun: true })).toBe(3);
    expect(await auditOf(stage)).toHaveLength(3);
    expect(await memory.deleteUser(id('user'), { cascade: true })).toBe(3);
    const deletion = { operation: 'deleteUser', subject: 'user', ids: [id('user')], total: 3 };
    expect((await auditOf(stage)).map(whatAndHow)).toEqual([deletion]);
    expect(await memory.deleteUser(id('user'), { cascade: true })).toBe(0);
    expect((await auditOf(stage)).map(whatAndHow)).toEqual([deletion]);
  },

  'the audit trail is read since a time': async (stage) => {
    const thread = await plainThread(stage);
    const [first] = await auditOf(stage);
    await thread.addMemory('later');
    const later = (await auditOf(stage)).at(-1)?.occurredAt ?? '';
    const userId = stage.id('user');
    const since = (instant: string) => stage.memory.listAudit({ userId, since: instant });
    expect((await since(first?.occurredAt ?? '')).items).toHaveLength(2);
    expect((await since(later)).items.length).toBeLessThanOrEqual(2);
    expect((await since('2999-01-01')).items).toEqual([]);
  },
};
