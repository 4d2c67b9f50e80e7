import { expect } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { PendingRecordBatch } from '../../lib/schemas/pending-record-batch.ts';
import type { UpdateRecordRequest } from '../../lib/schemas/record-request.ts';
import { expectError, type MemoryCase, type MemoryStage } from './memory-stage.ts';

/** Width of the vectors of a store, as it tells callers who guess wrong. */
async function widthOf(memory: AgentMemoryApi): Promise<number> {
  const error = await memory.records.search({ queryVector: [1], k: 1 }).catch((reason: unknown) => reason);
  const width = AgentMemoryError.is(error) ? /the store has (\d+)/.exec(error.message)?.[1] : undefined;
  if (width === undefined) throw new Error(`The store does not tell its width: ${String(error)}`);
  return Number(width);
}

/** Vectors along the last axes, where no text of these cases points alone. */
export async function axes({ memory }: MemoryStage): Promise<(index: number) => number[]> {
  const width = await widthOf(memory);
  return (index) => Array.from({ length: width }, (_, axis) => (axis === width - 1 - index ? 1 : 0));
}

const EXACTLY = 1e-5;

interface Payload {
  /** Records of this case's user that are at no distance from a vector. */
  at(vector: number[]): Promise<readonly string[]>;
  /** Distance of the one record from a text; undefined when its rows have no vectors. */
  from(query: string): Promise<number | undefined>;
  readonly id: string;
  update(change: UpdateRecordRequest): Promise<number>;
  content(): Promise<string | null>;
}

/** One fact of this case's user. */
async function addOne(stage: MemoryStage, fields: Partial<PendingRecordBatch>): Promise<Payload> {
  const { memory, id: own } = stage;
  const scope = { userId: own('user'), exactUserMatch: true };
  const [id = ''] = await memory.records.add({
    recordType: 'fact',
    contents: ['green tea'],
    userIds: own('user'),
    ...fields,
  });
  return {
    id,
    async at(queryVector) {
      const found = await memory.records.search({ queryVector, k: 10, ...scope });
      return found.filter(({ distance }) => distance < EXACTLY).map((result) => result.id);
    },
    async from(query) {
      return (await memory.records.search({ query, k: 1, ...scope }))[0]?.distance;
    },
    update: (change) => memory.records.update('fact', id, change),
    content: async () => (await memory.records.get('fact', id)).content,
  };
}

/** The table of contract §10.3, row by row. */
export const PAYLOAD_CASES: Readonly<Record<string, MemoryCase>> = {
  'on add: content is the retrieval text unless indexTexts says otherwise (contract §10.3)': async (
    stage,
  ) => {
    const omitted = await addOne(stage, {});
    expect(await omitted.from('green tea')).toBeLessThan(EXACTLY);
    await stage.memory.records.delete('fact', omitted.id);
    const text = await addOne(stage, { indexTexts: ['red bicycle'] });
    expect(await text.from('red bicycle')).toBeLessThan(EXACTLY);
    expect(await text.from('green tea')).toBeGreaterThan(0.1);
    expect(await text.content()).toBe('green tea');
    await stage.memory.records.delete('fact', text.id);
    const chunks = await addOne(stage, { indexTexts: [['red bicycle', 'blue boat']] });
    expect(await chunks.from('red bicycle')).toBeLessThan(EXACTLY);
    expect(await chunks.from('blue boat')).toBeLessThan(EXACTLY);
    await stage.memory.records.delete('fact', chunks.id);
    const inner = await addOne(stage, { indexTexts: [null] });
    expect(await inner.from('green tea')).toBeLessThan(EXACTLY);
    await stage.memory.records.delete('fact', inner.id);
    for (const indexTexts of [[''], [[]]]) {
      const none = await addOne(stage, { indexTexts });
      expect([await none.from('green tea'), await none.content()]).toEqual([undefined, 'green tea']);
      await stage.memory.records.delete('fact', none.id);
    }
  },

  'on add: given vectors are written as they are, one a row (contract §10.3)': async (stage) => {
    const axis = await axes(stage);
    const one = await addOne(stage, { embeddings: [axis(0)] });
    expect(await one.at(axis(0))).toEqual([one.id]);
    expect(await one.from('green tea')).toBeGreaterThan(0.1);
    const chunks = await addOne(stage, { indexTexts: [['a', 'b']], embeddings: [[axis(1), axis(2)]] });
    expect(await chunks.at(axis(1))).toEqual([chunks.id]);
    expect(await chunks.at(axis(2))).toEqual([chunks.id]);
    const none = await addOne(stage, { contents: [''], embeddings: [axis(3)] });
    expect(await none.at(axis(3))).toEqual([none.id]);
    const omitted = await addOne(stage, { contents: ['red bicycle'], embeddings: null });
    expect(await omitted.from('red bicycle')).toBeLessThan(EXACTLY);
    const inner = await addOne(stage, { contents: ['blue boat'], embeddings: [null] });
    expect(await inner.from('blue boat')).toBeLessThan(EXACTLY);
  },

  'on add: vectors that do not fit are refused by name (contract §10.3)': async (stage) => {
    const axis = await axes(stage);
    const { records } = stage.memory;
    const add = (fields: Partial<PendingRecordBatch>) =>
      records.add({ recordType: 'fact', contents: ['green tea'], userIds: stage.id('user'), ...fields });
    const refused: readonly [string, Partial<PendingRecordBatch>][] = [
      ['embeddings[0]', { embeddings: [[1, 2]] }],
      ['embeddings[0]', { embeddings: [axis(0).map(() => 0)] }],
      ['embeddings[0]', { embeddings: [axis(0).map(() => 1e300)] }],
      ['embeddings[0][1]', { indexTexts: [['a', 'b']], embeddings: [[axis(0), [1]]] }],
      ['embeddings[0]', { embeddings: [[axis(0), axis(1)]] }],
      ['embeddings[0]', { indexTexts: ['one text'], embeddings: [[axis(0), axis(1)]] }],
      ['embeddings[0]', { indexTexts: [['a', 'b']], embeddings: [[axis(0)]] }],
      ['embeddings[0]', { indexTexts: [['a', 'b']], embeddings: [axis(0)] }],
      ['embeddings[0]', { indexTexts: [''], embeddings: [[axis(0), axis(1)]] }],
      ['indexTexts[0][1]', { indexTexts: [['a', '']] }],
    ];
    for (const [path, fields] of refused) await expectError(add(fields), 'invalid_request', path);
    await expectError(
      records.addBatches([
        { recordType: 'fact', contents: ['a'] },
        { recordType: 'fact', contents: ['a', 'b'], embeddings: [null, [1]] },
      ]),
      'invalid_request',
      'batches[1].embeddings[1]',
    );
    expect((await records.list({ recordType: 'fact', userId: stage.id('user') })).items).toEqual([]);
  },

  'on update: new text replaces the retrieval rows (contract §10.3)': async (stage) => {
    const record = await addOne(stage, {});
    expect(await record.update({ content: 'red bicycle' })).toBe(1);
    expect(await record.from('red bicycle')).toBeLessThan(EXACTLY);
    expect(await record.update({ content: 'blue boat', indexText: 'old wine' })).toBe(1);
    expect(await record.from('old wine')).toBeLessThan(EXACTLY);
    expect(await record.content()).toBe('blue boat');
    expect(await record.update({ indexText: ['warm bread', 'cold milk'] })).toBe(1);
    expect(await record.from('cold milk')).toBeLessThan(EXACTLY);
    expect(await record.from('old wine')).toBeGreaterThan(0.1);
    expect(await record.content()).toBe('blue boat');
    expect(await record.update({ metadata: { kept: true } })).toBe(1);
    expect(await record.from('warm bread')).toBeLessThan(EXACTLY);
  },

  'on update: null, "" and [] clear the retrieval rows and keep the text (contract §10.3)': async (stage) => {
    const record = await addOne(stage, {});
    for (const indexText of [null, '', []]) {
      expect(await record.update({ indexText })).toBe(1);
      expect([await record.from('green tea'), await record.content()]).toEqual([undefined, 'green tea']);
      expect(await record.update({ content: 'green tea' })).toBe(1);
      expect(await record.from('green tea')).toBeLessThan(EXACTLY);
    }
    expect(await record.update({ content: 'red bicycle', indexText: null })).toBe(1);
    expect([await record.from('red bicycle'), await record.content()]).toEqual([undefined, 'red bicycle']);
  },

  'on update: a null content clears text and rows (contract §10.3)': async (stage) => {
    const record = await addOne(stage, {});
    expect(await record.update({ content: null, metadata: { a: 1 } })).toBe(1);
    expect([await record.from('green tea'), await record.content()]).toEqual([undefined, null]);
    expect(await record.update({ content: 'red bicycle' })).toBe(1);
    expect(await record.from('red bicycle')).toBeLessThan(EXACTLY);
  },

  'on update: vectors alone go to the rows that there are, one each (contract §10.3)': async (stage) => {
    const axis = await axes(stage);
    const record = await addOne(stage, { indexTexts: [['warm bread', 'cold milk']] });
    expect(await record.update({ embedding: [axis(0), axis(1)] })).toBe(1);
    expect([await record.at(axis(0)), await record.at(axis(1))]).toEqual([[record.id], [record.id]]);
    expect(await record.from('warm bread')).toBeGreaterThan(0.1);
    for (const embedding of [axis(2), [axis(2)], [axis(0), axis(1), axis(2)]]) {
      await expectError(
        record.update({ embedding, metadata: { lost: true } }),
        'invalid_request',
        'embedding',
      );
    }
    expect((await stage.memory.records.get('fact', record.id)).metadata).toEqual({});
    expect(await record.update({ embedding: null })).toBe(1);
    expect([await record.at(axis(0)), await record.from('warm bread')]).toEqual([[], undefined]);
    expect(await record.update({ embedding: [axis(2), axis(3)] })).toBe(1);
    expect(await record.at(axis(3))).toEqual([record.id]);
  },

  'on update: a text may come with its vectors, or with none (contract §10.3)': async (stage) => {
    const axis = await axes(stage);
    const record = await addOne(stage, {});
    expect(await record.update({ content: 'red bicycle', embedding: axis(0) })).toBe(1);
    expect(await record.at(axis(0))).toEqual([record.id]);
    expect(await record.update({ indexText: ['a', 'b'], embedding: [axis(1), axis(2)] })).toBe(1);
    expect([await record.at(axis(0)), await record.at(axis(2))]).toEqual([[], [record.id]]);
    expect(await record.update({ content: 'blue boat', embedding: null })).toBe(1);
    expect([await record.at(axis(2)), await record.from('blue boat')]).toEqual([[], undefined]);
    expect(await record.update({ indexText: '', embedding: axis(3) })).toBe(1);
    expect(await record.at(axis(3))).toEqual([record.id]);
  },

  'on update: combinations that contradict each other are refused by name (contract §10.3)': async (
    stage,
  ) => {
    const axis = await axes(stage);
    const record = await addOne(stage, {});
    const refused: readonly [string, UpdateRecordRequest][] = [
      ['indexText', { content: null, indexText: 'text' }],
      ['indexText', { content: null, indexText: '' }],
      ['embedding', { content: null, embedding: axis(0) }],
      ['embedding', { indexText: null, embedding: axis(0) }],
      ['embedding', { content: 'text', indexText: null, embedding: axis(0) }],
      ['embedding', { content: 'text', embedding: [axis(0), axis(1)] }],
      ['embedding', { indexText: 'text', embedding: [axis(0), axis(1)] }],
      ['embedding', { indexText: ['a', 'b'], embedding: axis(0) }],
      ['embedding', { embedding: [1] }],
      ['embedding', { embedding: [] }],
      ['embedding[1]', { indexText: ['a', 'b'], embedding: [axis(0), [1]] }],
      ['content', { content: '' }],
    ];
    for (const [path, change] of refused) await expectError(record.update(change), 'invalid_request', path);
    expect(await record.content()).toBe('green tea');
    expect(await record.from('green tea')).toBeLessThan(EXACTLY);
  },

  'a profile keeps its text and never expires (contract §10.3)': async ({ memory, id }) => {
    await memory.addUser(id('ana'), 'Ana drinks tea');
    const update = (change: UpdateRecordRequest) => memory.records.update('user_profile', id('ana'), change);
    await expectError(update({ content: null }), 'invalid_request', 'content');
    await expectError(update({ ttlDays: 3 }), 'invalid_request', 'ttlDays');
    expect(await update({ content: 'Ana drinks coffee', metadata: { a: 1 } })).toBe(1);
    expect(await memory.getUser(id('ana'))).toMatchObject({
      content: 'Ana drinks coffee',
      metadata: { a: 1 },
      expiresAt: null,
    });
  },

  'chunks of the caller are never chunked again, a long text is (contract §10.3, D13)': async (stage) => {
    const words = Array.from({ length: 700 }, (_, index) => `word${index}`).join(' ');
    const record = await addOne(stage, { contents: [`${words} needle thimble`] });
    const chunked = await record.from('needle thimble');
    expect(await record.update({ indexText: [`${words} needle thimble`] })).toBe(1);
    expect(await record.from(`${words} needle thimble`)).toBeLessThan(EXACTLY);
    expect(await record.from('needle thimble')).toBeGreaterThan(chunked ?? Number.POSITIVE_INFINITY);
  },
};
