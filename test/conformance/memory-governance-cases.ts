import { expect } from 'vitest';
import type { AuditEntry } from '../../lib/schemas/audit.ts';
import type { ExportUserOptions, UserDataLine } from '../../lib/schemas/user-data.ts';
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

async function exported(
  { memory, id }: MemoryStage,
  options?: ExportUserOptions,
): Promise<readonly UserDataLine[]> {
  const lines: UserDataLine[] = [];
  for await (const line of memory.exportUser(id('user'), options)) lines.push(line);
  return lines;
}

/** Something of everything that a user can have. */
async function fillUser(stage: MemoryStage): Promise<void> {
  const { memory, id } = stage;
  const thread = await plainThread(stage, {
    extraction: { extractMemories: true, memoryExtractionCustomInstructions: null },
    metadata: { 'd e': [1.5, null, 'é'] },
    contextCardTokenLimit: 2_000,
  });
  await memory.addUser(id('user'), 'Rows on Sundays', { tier: 2 });
  await thread.addMessages([
    { role: 'user', content: 'I live in Paris.', timestamp: '2026-01-31T09:30:00Z' },
  ]);
  await thread.addMessages([{ role: 'user', content: 'I moved. I live in Rome now. 日本語🙂' }]);
  const memoryId = await thread.addMemory('likes tea', { memoryType: 'guideline', ttlDays: 400 });
  await memory.updateMemory(memoryId, { content: 'likes coffee' });
  await memory.records.add({
    recordType: 'preference',
    contents: ['two texts', ''],
    indexTexts: [['one', 'two'], 'three'],
    userIds: id('user'),
    recordIds: [id('a/b 日本'), id('second')],
  });
  await memory.addMemory('of another user in their thread', { threadId: id('thread'), userId: id('other') });
}

const countOf = (lines: readonly UserDataLine[], type: UserDataLine['type']) =>
  lines.filter((line) => line.type === type).length;

/** Export and import of what is stored about a user. */
export const EXPORT_CASES: Readonly<Record<string, MemoryCase>> = {
  'an export that is imported after the user was deleted exports the same': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const before = await exported(stage);
    const withVectors = await exported(stage, { vectors: true });
    expect(before[0]).toMatchObject({ type: 'export', version: 1, userId: id('user') });
    expect([countOf(before, 'thread'), countOf(before, 'earlier_form')]).toEqual([1, 2]);
    const gone = await memory.deleteUser(id('user'), { cascade: true });
    expect(countOf(before, 'thread') + countOf(before, 'record')).toBe(gone);
    expect(await exported(stage)).toHaveLength(1);
    expect(await memory.importRecords(before)).toBe(gone);
    expect(await exported(stage)).toEqual(before);
    expect(JSON.stringify(await exported(stage))).toBe(JSON.stringify(before));
    await memory.deleteUser(id('user'), { cascade: true });
    await memory.importRecords(withVectors);
    expect(JSON.stringify(await exported(stage, { vectors: true }))).toBe(JSON.stringify(withVectors));
  },

  'what was imported is used as before': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const lines = await exported(stage);
    const thread = await memory.getThread(id('thread'));
    const messages = await thread.getMessages();
    const found = async () => (await memory.search('coffee', { userId: id('user') })).map((hit) => hit.id);
    const hits = await found();
    await memory.deleteUser(id('user'), { cascade: true });
    await memory.importRecords(lines);
    const imported = await memory.getThread(id('thread'));
    const { extraction, createdAt, metadata } = thread;
    expect(imported).toMatchObject({ extraction, createdAt, metadata });
    expect(await imported.getMessages()).toEqual(messages);
    expect(await found()).toEqual(hits);
    const { ids } = await imported.addMessages([{ role: 'user', content: 'And now?' }]);
    expect((await imported.getMessages()).map((message) => message.id)).toEqual([
      ...messages.map((message) => message.id),
      ...ids,
    ]);
  },

  'an import of what exists is a conflict and changes nothing': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const before = await exported(stage);
    await expectError(memory.importRecords(before), 'conflict');
    const [again] = before.filter((line) => line.type === 'record' && line.recordType === 'guideline');
    if (again?.type !== 'record') throw new Error('there is a guideline');
    const added = { ...again, recordId: id('new') };
    await expectError(memory.importRecords([added, again]), 'conflict');
    await expectError(memory.importRecords([added, added]), 'conflict');
    expect(await exported(stage)).toEqual(before);
  },

  'a conflict of an import names the kind and the id that is taken': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const lines = await exported(stage);
    const guideline = lines.find((line) => line.type === 'record' && line.recordType === 'guideline');
    const text = lines.find((line) => line.type === 'retrieval_text' && line.recordType === 'preference');
    const thread = lines.find((line) => line.type === 'thread');
    const profile = lines.find((line) => line.type === 'record' && line.recordType === 'user_profile');
    if (guideline?.type !== 'record' || text?.type !== 'retrieval_text') throw new Error('they are there');
    if (thread?.type !== 'thread' || profile?.type !== 'record') throw new Error('they are there');
    const added = { ...guideline, recordId: id('new "one"') };
    const { recordId, number } = text;
    const conflicts = [
      [[added, thread, guideline], { kind: 'thread', id: thread.threadId }],
      [[added, guideline, profile], { kind: 'memory', id: guideline.recordId }],
      [[added, profile], { kind: 'user_profile', id: id('user') }],
      [[added, text], { kind: 'memory', id: recordId, number }],
    ] as const;
    for (const [given, taken] of conflicts) {
      await expect(memory.importRecords(given)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/already exists$/),
        details: { taken },
      });
      await expect(memory.importRecords(given)).rejects.toThrow(`"${taken.id}"`);
    }
    expect(await exported(stage)).toEqual(lines);
  },

  'an import with a key is made once': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const lines = await exported(stage);
    const gone = await memory.deleteUser(id('user'), { cascade: true });
    const keyed = memory.withIdempotencyKey(id('key'));
    expect(await keyed.importRecords(lines)).toBe(gone);
    expect(await keyed.importRecords(lines)).toBe(gone);
    await expectError(keyed.importRecords(lines.slice(0, -1)), 'idempotency_mismatch');
    expect(await exported(stage)).toEqual(lines);
    await memory.deleteUser(id('user'), { cascade: true });
    expect(await keyed.importRecords(lines)).toBe(gone);
    expect(await exported(stage)).toEqual(lines);
  },

  'a line that is wrong is named, and nothing of its import is there': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const lines = await exported(stage);
    await memory.deleteUser(id('user'), { cascade: true });
    const wrong = (change: object) =>
      lines.map((line) =>
        line.type === 'record' && line.recordType === 'message' ? { ...line, ...change } : line,
      );
    const index = lines.findIndex((line) => line.type === 'record' && line.recordType === 'message');
    await expectError(memory.importRecords(wrong({ role: '' })), 'invalid_request', `lines[${index}].role`);
    await expectError(
      memory.importRecords(wrong({ sequence: undefined })),
      'invalid_request',
      `lines[${index}].sequence`,
    );
    const texts = lines.filter(({ type }) => type === 'retrieval_text');
    await expectError(memory.importRecords(texts), 'conflict');
    const messages = lines.filter((line) => line.type === 'record' && line.recordType === 'message');
    await expectError(memory.importRecords(messages), 'not_found');
    expect(await exported(stage)).toHaveLength(1);
  },

  'two messages cannot take one place of a thread': async (stage) => {
    const { memory, id } = stage;
    await fillUser(stage);
    const [message] = (await exported(stage)).filter(
      (line) => line.type === 'record' && line.recordType === 'message',
    );
    if (message?.type !== 'record') throw new Error('there is a message');
    await expectError(memory.importRecords([{ ...message, recordId: id('other place') }]), 'conflict');
    expect(await memory.importRecords([{ ...message, recordId: id('new place'), sequence: 90 }])).toBe(1);
    const thread = await memory.getThread(id('thread'));
    expect((await thread.getMessages()).at(-1)?.id).toBe(id('new place'));
    await thread.addMessages([{ role: 'user', content: 'later' }]);
    expect((await thread.getMessages()).at(-2)?.id).toBe(id('new place'));
  },
};
