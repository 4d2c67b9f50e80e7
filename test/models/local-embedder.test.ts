import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { encodeWordTable } from '../../infra/local/models/word-table-encoding.ts';
import { createLocalEmbedder } from '../../lib/models/local/local-embedder.ts';
import { readWordTable } from '../../lib/models/local/word-table.ts';
import { paraphrasePairs } from './paraphrase-pairs.ts';

const embedder = loadLocalEmbedder();

async function embed(...texts: readonly string[]): Promise<readonly Float32Array[]> {
  return embedder.embed({ texts, purpose: 'document' });
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return (a ?? new Float32Array()).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

/** Index of the candidate nearest to the query. */
async function nearest(query: string, candidates: readonly string[]): Promise<number> {
  const [queryVector, ...vectors] = await embed(query, ...candidates);
  const scores = vectors.map((vector) => cosine(queryVector, vector));
  return scores.indexOf(Math.max(...scores));
}

test('finds at least 80 % of 40 paraphrases at rank one', async () => {
  const statements = paraphrasePairs.map(([statement]) => statement);
  const ranks = await Promise.all(paraphrasePairs.map(([, paraphrase]) => nearest(paraphrase, statements)));
  expect(statements).toHaveLength(40);
  expect(ranks.filter((rank, index) => rank === index).length / ranks.length).toBeGreaterThanOrEqual(0.8);
});

test('answers unit vectors of the declared width for any text that is not blank', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
      fc.pre(text.trim() !== '');
      const [vector] = await embed(text);
      expect(vector).toHaveLength(embedder.dimensions ?? 0);
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    }),
  );
});

test.each(['!!!', '🙂', '٣', 'a', 'I', '\u0301', '日', '\ud800x'])('has a vector for %j', async (text) => {
  const [vector] = await embed(text);
  expect(cosine(vector, vector)).toBeCloseTo(1, 4);
});

test('is deterministic', async () => {
  const texts = ['The user lives in Lisbon.', 'ご注文 INC-4711', '!!!'];
  expect(await embed(...texts)).toEqual(await embed(...texts));
});

test('refuses an empty text', async () => {
  await expect(embed(' \n ')).rejects.toMatchObject({ code: 'model_failed' });
});

test('matches Japanese by shared characters', async () => {
  const statements = [
    '私は東京に住んでいます。',
    '猫アレルギーがあります。',
    '毎朝コーヒーを飲みます。',
    '妹は医者です。',
  ];
  expect(await nearest('東京在住です', statements)).toBe(0);
  expect(await nearest('猫のアレルギー', statements)).toBe(1);
  expect(await nearest('コーヒーが好き', statements)).toBe(2);
});

test('matches ids that no word table knows', async () => {
  const statements = ['Ticket INC-48213 is about printing.', 'Ticket INC-99120 is about printing.'];
  expect(await nearest('What happened to INC-99120?', statements)).toBe(1);
});

test('an unknown word does not change the direction of the known ones', async () => {
  const [plain, mixed] = await embed('river boat', 'river boat xqzzykw');
  const words = 100;
  const known = mixed?.subarray(0, words);
  const length = Math.sqrt(cosine(known, known));
  expect(cosine(plain?.subarray(0, words), known) / length).toBeCloseTo(1, 5);
  expect(length).toBeLessThan(0.95);
});

test('inflections that the table lacks fall back to the base word', async () => {
  const table = encodeWordTable(
    ['walk', 'story', 'run', 'cafe'].map((word, index) => ({
      word,
      weight: 1,
      vector: [0, 1, 2, 3].map((place) => (place === index ? 1 : 0)),
    })),
    4,
  );
  const small = createLocalEmbedder(table);
  const [base, ...inflected] = await small.embed({
    texts: ['walk story run cafe', 'walks stories running café', 'Walked STORY runs cafés'],
    purpose: 'document',
  });
  expect(inflected).toEqual([base, base]);
});

test('a table keeps its vectors to the precision of int8 and its weights', () => {
  const table = readWordTable(encodeWordTable([{ word: 'sea', weight: 0.5, vector: [0.3, -1.27] }], 2));
  const target = new Float32Array(2);
  table.addRow(table.rowOf('sea') ?? -1, target);
  expect(target[0]).toBeCloseTo(0.3, 2);
  expect(target[1]).toBeCloseTo(-1.27, 2);
  expect(table.weightOf(0)).toBeCloseTo(0.5, 2);
  expect(table.rowOf('land')).toBeUndefined();
});

test.each([
  ['too short', new Uint8Array(3)],
  ['not a table', new Uint8Array(64)],
  ['cut off', encodeWordTable([{ word: 'sea', weight: 1, vector: [1, 2] }], 2).subarray(0, -1)],
])('refuses bytes that are %s', (_name, bytes) => {
  expect(() => createLocalEmbedder(bytes)).toThrow(expect.objectContaining({ code: 'internal' }));
});

test('the committed table stays within 6 MB', () => {
  const bytes = readFileSync(new URL('../../infra/local/models/word-table.bin', import.meta.url));
  expect(bytes.byteLength).toBeLessThanOrEqual(6_000_000);
  expect(readWordTable(bytes).dimensions).toBe(100);
});
