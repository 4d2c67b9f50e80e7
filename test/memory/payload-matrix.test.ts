import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { clob, text } from '../../lib/sql/bind.ts';
import { createHashEmbedder, createScriptedLlm } from '../../lib/testing/index.ts';
import { expectError } from '../conformance/memory-stage.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import {
  type ExpectedRow,
  type GivenChange,
  type GivenText,
  type GivenVectors,
  type Outcome,
  outcomeOfAdd,
  outcomeOfUpdate,
} from './evaluate-payload.ts';

const WIDTH = 256;
const embedder = createHashEmbedder({ dimensions: WIDTH });
const NAMES: readonly string[] = ['first', 'second'];

/** The vector of a name: along the last axes, where no text of these cases points. */
function vectorOf(name: string): number[] {
  const axis = WIDTH - 1 - NAMES.indexOf(name);
  return Array.from({ length: WIDTH }, (_, index) => (index === axis ? 1 : 0));
}

function toRequest(embedding: GivenVectors): number[] | number[][] | null | undefined {
  if (embedding === undefined || embedding === null) return embedding;
  return typeof embedding === 'string' ? vectorOf(embedding) : embedding.map(vectorOf);
}

async function expectedVector({ text: rowText, vector }: ExpectedRow): Promise<readonly number[] | null> {
  if (vector === null) return null;
  if (vector !== 'derived') return vectorOf(vector.given);
  const [derived = new Float32Array()] = await embedder.embed({ texts: [rowText], purpose: 'document' });
  return [...derived];
}

const TEXTS: readonly GivenText[] = [
  undefined,
  null,
  'red bicycle',
  ['warm bread'],
  ['warm bread', 'cold milk'],
  '',
  [],
];
const VECTORS: readonly GivenVectors[] = [undefined, null, 'first', ['first'], ['first', 'second'], []];
const shown = (value: unknown) => JSON.stringify(value) ?? 'omitted';

describe('the retrieval payload, cell by cell (contract §10.3)', () => {
  let opened: EmulatedMemory;
  beforeAll(async () => {
    opened = await openEmulatedMemory(createScriptedLlm({}));
  });
  afterAll(() => opened?.memory.close());

  /** Compares content and retrieval rows of a record with what must be there, row by row. */
  async function checkRecord(id: string, expected: Extract<Outcome, { content: unknown }>): Promise<void> {
    expect((await opened.memory.records.get('fact', id)).content).toBe(expected.content);
    const vectors = await Promise.all(expected.rows.map(expectedVector));
    for (const vector of [null, ...vectors]) {
      const rows = await opened.transport.query({
        name: 'test.rows',
        sql: `SELECT c.chunk_text AS chunk_text, CASE WHEN c.embedding IS NULL THEN 0 ELSE 1 END AS has_vector,
  VECTOR_DISTANCE(c.embedding, TO_VECTOR(:vector, ${WIDTH}, FLOAT32), COSINE) AS distance
FROM ${createSchemaNames().chunk} c
WHERE c.record_family = 'memory' AND c.record_id = :record_id
ORDER BY c.chunk_no`,
        binds: { vector: clob(JSON.stringify(vector ?? vectorOf('first'))), record_id: text(id) },
        shape: { chunk_text: 'text', has_vector: 'boolean', distance: 'number' },
      });
      expect(rows.map((row) => [row.chunk_text ?? '', row.has_vector])).toEqual(
        expected.rows.map((row) => [row.text, row.vector !== null]),
      );
      if (vector === null) continue;
      const places = vectors.flatMap((each, index) => (each === vector ? [index] : []));
      for (const place of places) expect(rows[place]?.distance).toBeCloseTo(0, 5);
    }
  }

  const additions = ['green tea', '', null].flatMap((content) =>
    TEXTS.flatMap((indexText) => VECTORS.map((embedding) => ({ content, indexText, embedding }))),
  );

  it(`on add: ${additions.length} combinations of content, retrieval text and vectors`, async () => {
    for (const { content, indexText, embedding } of additions) {
      const expected = outcomeOfAdd(content, indexText, embedding);
      const added = opened.memory.records.add({
        recordType: 'fact',
        contents: [content],
        ...(indexText === undefined
          ? {}
          : {
              indexTexts: [typeof indexText === 'object' && indexText !== null ? [...indexText] : indexText],
            }),
        ...(embedding === undefined ? {} : { embeddings: [toRequest(embedding) ?? null] }),
      });
      const cell = `content ${shown(content)}, indexText ${shown(indexText)}, embedding ${shown(embedding)}`;
      if ('refused' in expected) {
        await expectError(added, 'invalid_request', expected.refused);
        continue;
      }
      const [id = ''] = await added.catch((reason: unknown) => {
        throw new Error(cell, { cause: reason });
      });
      await checkRecord(id, expected);
    }
  });

  it('on add: null for all texts and all vectors is the same as omitted', async () => {
    const [id = ''] = await opened.memory.records.add({
      recordType: 'fact',
      contents: ['green tea'],
      indexTexts: null,
      embeddings: null,
    });
    await checkRecord(id, { content: 'green tea', rows: [{ text: 'green tea', vector: 'derived' }] });
  });

  const changes = ([undefined, 'blue boat', null] as const).flatMap((content) =>
    TEXTS.flatMap((indexText) =>
      VECTORS.map((embedding): GivenChange => ({ content, indexText, embedding })),
    ),
  );
  const stored: readonly (readonly [string, readonly ExpectedRow[]])[] = [
    ['one row', [{ text: 'green tea', vector: 'derived' }]],
    [
      'two rows',
      [
        { text: 'black', vector: 'derived' },
        { text: 'white', vector: 'derived' },
      ],
    ],
    ['no row', []],
  ];

  it.each(stored)(`on update of a record with %s: ${changes.length} combinations`, async (_name, rows) => {
    const { records } = opened.memory;
    for (const change of changes) {
      const [id = ''] = await records.add({
        recordType: 'fact',
        contents: ['green tea'],
        indexTexts: [rows.map((row) => row.text)],
      });
      const before = { content: 'green tea', rows };
      const expected = outcomeOfUpdate(before, change);
      const { content, indexText, embedding } = change;
      const updated = records.update('fact', id, {
        content,
        indexText: typeof indexText === 'object' && indexText !== null ? [...indexText] : indexText,
        embedding: toRequest(embedding),
      });
      if ('refused' in expected) await expectError(updated, 'invalid_request', expected.refused);
      else expect([shown(change), await updated]).toEqual([shown(change), 1]);
      await checkRecord(id, 'refused' in expected ? before : expected);
    }
  });
});
