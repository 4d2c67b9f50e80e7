import { expect } from 'vitest';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { UpdateMessageRequest } from '../../lib/schemas/message.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

const LISBON = { role: 'user', content: 'I live in Lisbon.', timestamp: '2024-05-01T10:00:00Z' };
const NO_EXTRACTION = { status: 'none', jobId: null };

/** A thread with three messages: `m1`, `m2`, `m3`. */
async function threadWithMessages(stage: MemoryStage, extractMemories = false): Promise<ThreadApi> {
  const thread = await plainThread(stage, { extraction: { extractMemories } });
  await thread.addMessages([
    { ...LISBON, id: stage.id('m1'), metadata: { turn: 1, tags: ['home'] } },
    { role: 'assistant', id: stage.id('m2'), content: 'Noted.' },
    { role: 'user', id: stage.id('m3'), content: 'What is the weather like?' },
  ]);
  return thread;
}

async function words(thread: ThreadApi, text: string): Promise<readonly string[]> {
  const results = await thread.search(text, { recordTypes: ['message'], exactThreadMatch: true });
  return results.map((result) => result.content);
}

export const MESSAGE_CHANGE_CASES: Readonly<Record<string, MemoryCase>> = {
  'updateMessage changes content and keeps id, place, role, timestamp and metadata (contract §4.5)': async (
    stage,
  ) => {
    const thread = await threadWithMessages(stage);
    const before = await thread.getMessages();
    const answer = await thread.updateMessage(stage.id('m1'), { content: 'I live in Porto 🙂 now.' });
    expect(answer).toEqual({ id: stage.id('m1'), extraction: NO_EXTRACTION });
    const [first, ...others] = before;
    expect(await thread.getMessages()).toEqual([{ ...first, content: 'I live in Porto 🙂 now.' }, ...others]);
  },

  'changed content is searched, the old is not, also when it was longer (contract §4.5)': async (stage) => {
    const thread = await plainThread(stage);
    const long = Array.from({ length: 900 }, (_, index) => `harbour${index} lighthouse`).join(' ');
    const { ids } = await thread.addMessages([{ role: 'user', content: long }]);
    const [id = ''] = ids;
    await thread.updateMessage(id, { content: 'short zebra' });
    const found = await thread.search('lighthouse', { recordTypes: ['message'], exactThreadMatch: true });
    expect(found.map((result) => result.content)).toEqual(['short zebra']);
    expect(await words(thread, 'zebra')).toEqual(['short zebra']);
    await thread.updateMessage(id, { content: `${long} quokka` });
    expect(await words(thread, 'quokka')).toEqual([`${long} quokka`]);
  },

  'metadata of a message is replaced whole, null clears it, omitted keeps it (contract §4.5)': async (
    stage,
  ) => {
    const thread = await threadWithMessages(stage);
    const metadata = async () => (await thread.getMessages())[0]?.metadata;
    await thread.updateMessage(stage.id('m1'), { metadata: { source: 'import' } });
    expect(await metadata()).toEqual({ source: 'import' });
    await thread.updateMessage(stage.id('m1'), { content: 'I live in Porto.' });
    expect(await metadata()).toEqual({ source: 'import' });
    await thread.updateMessage(stage.id('m1'), { content: 'I live in Faro.', metadata: null });
    expect((await thread.getMessages())[0]).toMatchObject({ content: 'I live in Faro.', metadata: {} });
  },

  'a message without a field to change stays as it is, and so does the same content (contract §4.5)': async (
    stage,
  ) => {
    const thread = await threadWithMessages(stage, true);
    const before = await thread.getMessages();
    for (const request of [{}, { content: LISBON.content }]) {
      const answer = await thread.updateMessage(stage.id('m1'), request);
      expect(answer).toEqual({ id: stage.id('m1'), extraction: NO_EXTRACTION });
    }
    expect(await thread.getMessages()).toEqual(before);
  },

  'role, timestamp and owners of a message never change, and null is no content (contract §4.5)': async (
    stage,
  ) => {
    const thread = await threadWithMessages(stage);
    for (const key of ['role', 'timestamp', 'id', 'threadId', 'userId']) {
      const request = { [key]: 'assistant' };
      await expectError(thread.updateMessage(stage.id('m1'), request), 'invalid_request', key);
    }
    const request: Record<string, unknown> = { content: null };
    await expectError(thread.updateMessage(stage.id('m1'), request), 'invalid_request', 'content');
    await expectError(thread.updateMessage(stage.id('m1'), { content: ' \n' }), 'invalid_request', 'content');
    await expectError(thread.updateMessage(stage.id('m1'), { ttlDays: 0 }), 'invalid_request', 'ttlDays');
    await expectError(thread.updateMessage('', { content: 'x' }), 'invalid_request', 'messageId');
    expect((await thread.getMessages())[0]).toMatchObject({ role: 'user', content: LISBON.content });
  },

  'only a message of exactly this thread can be updated (contract §4.5)': async (stage) => {
    const { memory, id } = stage;
    await threadWithMessages(stage);
    const other = await plainThread(stage, { threadId: id('other') });
    await memory.addMemory('a memory', { memoryId: id('memory'), threadId: other.threadId });
    for (const request of [{ content: 'x' }, { metadata: {} }, { ttlDays: 1 }, {}]) {
      await expectError(other.updateMessage(id('m1'), request), 'not_found');
      await expectError(other.updateMessage(id('memory'), request), 'not_found');
      await expectError(other.updateMessage(id('nothing'), request), 'not_found');
    }
  },

  'a message that has expired cannot be updated or refreshed (contract §4.5)': async (stage) => {
    const thread = await threadWithMessages(stage);
    await thread.updateMessage(stage.id('m1'), { ttlDays: 1, ttlAnchor: 'timestamp' });
    expect((await thread.getMessages()).map((message) => message.id)).toEqual([
      stage.id('m2'),
      stage.id('m3'),
    ]);
    expect(await words(thread, 'Lisbon')).not.toContain(LISBON.content);
    for (const request of [{ content: 'x' }, { ttlDays: null }, { metadata: {} }, {}]) {
      await expectError(thread.updateMessage(stage.id('m1'), request), 'not_found');
    }
  },

  'days from a timestamp need the stored one, days alone count from the creation (contract §4.5)': async (
    stage,
  ) => {
    const thread = await threadWithMessages(stage);
    const dated = stage.id('m1');
    const undated = stage.id('m2');
    for (const content of [undefined, 'Noted, again.']) {
      await expectError(
        thread.updateMessage(undated, { content, ttlDays: 30, ttlAnchor: 'timestamp' }),
        'invalid_request',
        'ttlAnchor',
      );
    }
    const daysAfter = (instant: string, days: number) =>
      new Date(Date.parse(instant) + days * 86_400_000).toISOString();
    const { createdAt } = await stage.memory.records.get('message', dated);
    const steps: readonly [UpdateMessageRequest, string | null][] = [
      [{ ttlDays: 1 }, daysAfter(createdAt, 1)],
      [{ metadata: { kept: true } }, daysAfter(createdAt, 1)],
      [{ ttlDays: 4_000, ttlAnchor: 'timestamp' }, daysAfter(LISBON.timestamp, 4_000)],
      [{ content: 'I live in Porto.', ttlDays: 2 }, daysAfter(createdAt, 2)],
      [{ content: 'I live in Faro.' }, daysAfter(createdAt, 2)],
      [{ ttlDays: null, ttlAnchor: 'timestamp' }, null],
      [{ ttlDays: 3, ttlAnchor: 'created_at' }, daysAfter(createdAt, 3)],
      [{ ttlAnchor: 'created_at' }, null],
    ];
    for (const [request, expiresAt] of steps) {
      await thread.updateMessage(dated, request);
      const record = await stage.memory.records.get('message', dated);
      expect(record.expiresAt, JSON.stringify(request)).toBe(expiresAt);
    }
    expect((await stage.memory.records.get('message', undated)).expiresAt).toBeNull();
  },

  'an edit extracts from the new content before it returns; earlier memories stay (contract §4.5)': async (
    stage,
  ) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const added = await thread.addMessages([{ ...LISBON, id: stage.id('m') }]);
    const [earlier = ''] = added.extraction.memoryIds ?? [];
    const { extraction } = await thread.updateMessage(stage.id('m'), {
      content: 'I live in Lisbon. I am allergic to peanuts.',
    });
    expect(extraction).toMatchObject({ status: 'completed', jobId: expect.any(String) });
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect(await stage.memory.getMemory(memoryId)).toMatchObject({
      content: expect.stringContaining('peanuts'),
      threadId: thread.threadId,
      metadata: { $agent_memory: { sourceMessageIds: [stage.id('m')] } },
    });
    expect(await stage.memory.getMemory(earlier)).toMatchObject({
      content: expect.stringContaining('Lisbon'),
    });
    const metadataOnly = await thread.updateMessage(stage.id('m'), { metadata: { a: 1 } });
    expect(metadataOnly.extraction).toEqual(NO_EXTRACTION);
  },

  'an edit does not move the frequency counter (contract §4.5)': async (stage) => {
    const thread = await plainThread(stage, {
      extraction: { extractMemories: true, memoryExtractionFrequency: 3, enableContextSummary: false },
    });
    const { ids, extraction } = await thread.addMessages([LISBON, { role: 'assistant', content: 'Noted.' }]);
    expect(extraction).toEqual(NO_EXTRACTION);
    const edit = await thread.updateMessage(ids[0] ?? '', { content: 'I live in Porto.' });
    expect(edit.extraction.status).toBe('completed');
    const third = await thread.addMessages([{ role: 'user', content: 'I am allergic to peanuts.' }]);
    expect(third.extraction.status).toBe('completed');
    const fourth = await thread.addMessages([{ role: 'user', content: 'I have two cats.' }]);
    expect(fourth.extraction).toEqual(NO_EXTRACTION);
  },

  'deleteMessage removes the message from reading and search (contract §4.4)': async (stage) => {
    const thread = await threadWithMessages(stage);
    expect(await thread.deleteMessage(stage.id('m2'))).toBe(1);
    expect(await thread.deleteMessage(stage.id('m2'))).toBe(0);
    expect((await thread.getMessages()).map((message) => message.id)).toEqual([
      stage.id('m1'),
      stage.id('m3'),
    ]);
    expect((await thread.getMessages({ start: 1, end: 2 })).map(({ id }) => id)).toEqual([stage.id('m3')]);
    expect(await words(thread, 'Noted')).not.toContain('Noted.');
    expect((await thread.getContextCard()).recentMessages.map(({ id }) => id)).not.toContain(stage.id('m2'));
    await expectError(thread.updateMessage(stage.id('m2'), { content: 'x' }), 'not_found');
  },

  'a message of another thread, a memory and an unknown id are not deleted, without an error (contract §4.4)':
    async (stage) => {
      const { memory, id } = stage;
      const thread = await threadWithMessages(stage);
      const other = await plainThread(stage, { threadId: id('other') });
      await thread.addMemory('a memory', { memoryId: id('memory') });
      expect(await other.deleteMessage(id('m1'))).toBe(0);
      expect(await thread.deleteMessage(id('memory'))).toBe(0);
      expect(await thread.deleteMessage(id('nothing'))).toBe(0);
      expect(await thread.getMessages()).toHaveLength(3);
      expect(await memory.getMemory(id('memory'))).toMatchObject({ content: 'a memory' });
      await memory.deleteThread(other.threadId);
      expect(await other.deleteMessage(id('m1'))).toBe(0);
    },

  'memories of a deleted message stay (contract §4.4, D3)': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const { ids, extraction } = await thread.addMessages([LISBON]);
    const [memoryId = ''] = extraction.memoryIds ?? [];
    expect(await thread.deleteMessage(ids[0] ?? '')).toBe(1);
    expect(await stage.memory.getMemory(memoryId)).toMatchObject({
      content: expect.stringContaining('Lisbon'),
    });
    expect((await thread.getContextCard()).summary).not.toContain('Lisbon');
  },

  'a message id that was deleted can be used again (contract §4.4)': async (stage) => {
    const thread = await threadWithMessages(stage);
    await thread.deleteMessage(stage.id('m1'));
    await thread.addMessages([{ id: stage.id('m1'), role: 'user', content: 'new' }]);
    expect((await thread.getMessages()).at(-1)).toMatchObject({ id: stage.id('m1'), content: 'new' });
  },

  'messages of a deleted thread can be neither updated nor deleted (contract §4.4, §4.5)': async (stage) => {
    const thread = await threadWithMessages(stage);
    await thread.updateMessage(stage.id('m1'), { content: 'edited' });
    await stage.memory.deleteThread(thread.threadId);
    await expectError(thread.updateMessage(stage.id('m1'), { content: 'x' }), 'not_found');
    expect(await thread.deleteMessage(stage.id('m1'))).toBe(0);
    await expectError(thread.update({ metadata: {} }), 'not_found');
  },
};
