import { expect } from 'vitest';
import type { PendingRecordBatch } from '../../lib/schemas/pending-record-batch.ts';
import { expectError, type MemoryCase, type MemoryStage, plainThread } from './memory-stage.ts';

async function contentsOf({ memory }: MemoryStage, ids: readonly string[], recordType: 'memory' | 'fact') {
  const records = await Promise.all(ids.map((id) => memory.records.get(recordType, id)));
  return records.map(({ content }) => content);
}

/** Records that are added at the level of the store (contract §10.2). */
export const BATCH_CASES: Readonly<Record<string, MemoryCase>> = {
  'records.add takes single values and lists that align (contract §10.2)': async (stage) => {
    const { memory, id } = stage;
    const ids = await memory.records.add({
      recordType: 'fact',
      contents: ['tea', 'coffee'],
      recordIds: [id('tea'), null],
      userIds: id('user'),
      agentIds: [id('agent'), null],
      threadIds: id('no such thread'),
      timestamps: ['2024-02-29T12:00:00+02:00', null],
      metadata: [{ hot: true }, null],
    });
    const [tea = '', coffee = ''] = ids;
    expect(tea).toBe(id('tea'));
    expect(await memory.records.get('fact', tea)).toMatchObject({
      content: 'tea',
      userId: id('user'),
      agentId: id('agent'),
      threadId: id('no such thread'),
      timestamp: '2024-02-29T10:00:00.000Z',
      metadata: { hot: true },
      status: 'active',
    });
    expect(await memory.records.get('fact', coffee)).toMatchObject({ agentId: null, metadata: {} });
    expect(await memory.getMemory(coffee)).toMatchObject({ recordType: 'fact', content: 'coffee' });
  },

  'omitted ids are made, omitted owners leave a record unscoped (contract §10.2)': async ({ memory }) => {
    const ids = await memory.records.add({ recordType: 'memory', contents: ['a', 'b', 'c'] });
    expect(new Set(ids).size).toBe(3);
    for (const each of ids) {
      expect(await memory.records.get('memory', each)).toMatchObject({
        userId: null,
        agentId: null,
        threadId: null,
      });
    }
  },

  'empty text and no text read back as what they were, null takes metadata.content (contract §10.2)': async (
    stage,
  ) => {
    const ids = await stage.memory.records.add({
      recordType: 'memory',
      contents: ['', null, null, null, 'own'],
      metadata: [{}, {}, { content: 'from metadata' }, { content: 7 }, { content: 'not this' }],
    });
    expect(await contentsOf(stage, ids, 'memory')).toEqual(['', null, 'from metadata', null, 'own']);
    await expectError(
      stage.memory.records.add({ recordType: 'memory', contents: ['a', '  '] }),
      'invalid_request',
      'contents[1]',
    );
  },

  'messages as records need their thread, count in it and start no extraction (contract §10.2)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const thread = await memory.createThread({
      threadId: id('thread'),
      userId: id('user'),
      agentId: id('agent'),
      extraction: { extractMemories: true, memoryExtractionFrequency: 100 },
    });
    await thread.addMessages([{ role: 'user', content: 'one' }]);
    const base = { recordType: 'message', threadIds: id('thread') } as const;
    const [two = ''] = await memory.records.add({
      ...base,
      contents: ['two', 'three'],
      roles: ['assistant', 'user'],
      userIds: [id('other'), null],
    });
    await thread.addMessages([{ role: 'user', content: 'four' }]);
    await memory.records.add({ ...base, contents: ['five'], roles: 'tool' });
    const messages = await thread.getMessages();
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'two'],
      ['user', 'three'],
      ['user', 'four'],
      ['tool', 'five'],
    ]);
    expect((await thread.getMessages({ start: 1, end: 3 })).map(({ content }) => content)).toEqual([
      'two',
      'three',
    ]);
    const records = await memory.records.listThreadMessages(id('thread'));
    expect(records.map(({ userId }) => userId)).toEqual([
      id('user'),
      id('other'),
      null,
      id('user'),
      id('user'),
    ]);
    expect(records.every(({ agentId }) => agentId === id('agent'))).toBe(true);
    expect((await memory.listMemories({ threadId: id('thread') })).items).toEqual([]);
    expect(await memory.records.get('message', two)).toMatchObject({ role: 'assistant' });
    await expectError(
      memory.records.add({ ...base, threadIds: id('none'), contents: ['a'], roles: 'user' }),
      'not_found',
    );
  },

  'roles are for messages alone (contract §10.2)': async ({ memory, id }) => {
    const { records } = memory;
    const message = { recordType: 'message', contents: ['a'], threadIds: id('t') } as const;
    await expectError(records.add({ ...message, contents: ['a'] }), 'invalid_request', 'roles');
    const fact: PendingRecordBatch = { recordType: 'fact', contents: ['a'], roles: 'user' };
    await expectError(records.add(fact), 'invalid_request', 'roles');
    await expectError(
      records.add({ recordType: 'message', contents: ['a'], roles: 'user' }),
      'invalid_request',
      'threadIds',
    );
  },

  'profiles as records are unscoped, have their actor id and never expire (contract §10.2)': async ({
    memory,
    id,
  }) => {
    const profile = { recordType: 'user_profile', contents: ['Ana drinks tea'] } as const;
    const batch = { ...profile, contents: ['Ana drinks tea'] };
    await memory.records.add({ ...batch, recordIds: id('ana') });
    expect(await memory.getUser(id('ana'))).toMatchObject({ content: 'Ana drinks tea', expiresAt: null });
    await expectError(memory.records.add({ ...batch, recordIds: id('ana') }), 'conflict');
    await expectError(memory.addUser(id('ana'), 'again'), 'conflict');
    await expectError(memory.records.add({ ...batch, userIds: id('ana') }), 'invalid_request', 'userIds');
    await expectError(memory.records.add({ ...batch, ttlDays: [3] }), 'invalid_request', 'ttlDays[0]');
    await expectError(memory.records.add({ ...batch, contents: [null] }), 'invalid_request', 'contents[0]');
  },

  'a taken id is a conflict and nothing of the batch is written (contract §10.2, D7)': async (stage) => {
    const { memory, id } = stage;
    await memory.records.add({ recordType: 'fact', contents: ['one'], recordIds: id('one') });
    const taken = { recordType: 'memory', contents: ['new', 'again'] } as const;
    const ids = { contents: ['new', 'again'], recordIds: [id('new'), id('one')], userIds: id('user') };
    await expectError(memory.records.add({ ...taken, ...ids }), 'conflict');
    const twice = { ...taken, ...ids, recordIds: [id('new'), id('new')] };
    await expectError(memory.records.add(twice), 'conflict');
    expect((await memory.records.list({ recordType: 'memory', userId: id('user') })).items).toEqual([]);
    expect((await memory.records.get('fact', id('one'))).content).toBe('one');
  },

  'lists that do not align are refused by name (contract §10.2)': async ({ memory, id }) => {
    const contents = ['a', 'b'];
    const wrong: readonly [string, Partial<PendingRecordBatch>][] = [
      ['indexTexts', { indexTexts: ['x'] }],
      ['embeddings', { embeddings: [] }],
      ['recordIds', { recordIds: [id('a')] }],
      ['threadIds', { threadIds: [null, null, null] }],
      ['userIds', { userIds: [] }],
      ['metadata', { metadata: [{}] }],
      ['timestamps', { timestamps: [null] }],
      ['ttlDays', { ttlDays: [1, 2, 3] }],
      ['ttlAnchor', { ttlAnchor: ['created_at'] }],
    ];
    for (const [path, fields] of wrong) {
      await expectError(
        memory.records.add({ recordType: 'fact', contents, ...fields }),
        'invalid_request',
        path,
      );
    }
    await expectError(
      memory.records.add({
        recordType: 'fact',
        contents,
        ttlAnchor: 'timestamp',
        timestamps: ['2026-01-01', null],
      }),
      'invalid_request',
      'timestamps[1]',
    );
  },

  'several batches are one write: one bad of ten writes nothing and is named (contract §10.2)': async (
    stage,
  ) => {
    const { memory, id } = stage;
    const good = (index: number): PendingRecordBatch => ({
      recordType: 'fact',
      contents: ['a', 'b', 'c'].map((letter) => `${letter}${index}`),
      userIds: id('user'),
    });
    const batches = Array.from({ length: 10 }, (_, index) => good(index));
    const bad = batches.map((each, index) => (index === 3 ? { ...each, contents: ['a', 'b', ' '] } : each));
    await expectError(memory.records.addBatches(bad), 'invalid_request', 'batches[3].contents[2]');
    const taken = id('taken');
    await memory.addMemory('taken', { memoryId: taken });
    const clash = batches.map((each, index) =>
      index === 9 ? { ...each, recordIds: [null, taken, null] } : each,
    );
    await expectError(memory.records.addBatches(clash), 'conflict');
    const lost: PendingRecordBatch = {
      recordType: 'message',
      contents: ['a'],
      roles: 'user',
      threadIds: id('no such thread'),
    };
    await expectError(memory.records.addBatches([...batches, lost]), 'not_found');
    expect((await memory.records.list({ recordType: 'fact', userId: id('user') })).items).toEqual([]);
    const ids = await memory.records.addBatches(batches);
    const listed = await memory.records.list({ recordType: 'fact', userId: id('user') });
    expect(listed.items.map((record) => record.id)).toEqual(ids);
    expect(listed.items.slice(0, 4).map(({ content }) => content)).toEqual(['a0', 'b0', 'c0', 'a1']);
  },

  'one write may hold messages of several threads and other records (contract §10.2)': async (stage) => {
    const { memory, id } = stage;
    const first = await plainThread(stage);
    const second = await plainThread(stage, { threadId: id('second') });
    await memory.records.addBatches([
      {
        recordType: 'message',
        contents: ['1', '2', '3', '4'],
        roles: 'user',
        threadIds: [id('thread'), id('second'), id('thread'), id('second')],
      },
      { recordType: 'fact', contents: ['a fact'], threadIds: id('thread') },
      { recordType: 'message', contents: ['5'], roles: 'user', threadIds: id('second') },
    ]);
    expect((await first.getMessages()).map(({ content }) => content)).toEqual(['1', '3']);
    expect((await second.getMessages()).map(({ content }) => content)).toEqual(['2', '4', '5']);
    await first.addMessages([{ role: 'user', content: '6' }]);
    expect((await first.getMessages()).map(({ content }) => content)).toEqual(['1', '3', '6']);
  },
};
