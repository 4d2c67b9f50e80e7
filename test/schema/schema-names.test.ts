import { describe, expect, it } from 'vitest';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';

const HOSTILE = [
  '',
  '1A',
  '_A',
  'A-B',
  'A B',
  'A"B',
  "A'B",
  'A;DROP TABLE X',
  'A.B',
  'A&B',
  'A\nB',
  'A\n',
  'A\u0000',
  'A$',
  'A#',
  'Ä',
  'ſ',
  'A--',
  'A/*',
  '\u{1F600}',
];

describe('createSchemaNames', () => {
  it('has plain names without options', () => {
    const names = createSchemaNames();
    expect(tableNames(names)).toEqual([
      'MEMORY_META',
      'MEMORY_HISTORY',
      'MEMORY_AUDIT',
      'MEMORY_REQUEST',
      'MEMORY_JOB',
      'MEMORY_CHUNK',
      'MEMORY_RECORD',
      'MEMORY_THREAD',
    ]);
    expect(names.indexes).toContain('MEMORY_CHUNK_USER_IX');
  });

  it('joins a store id with an underscore and a table prefix with nothing, in upper case', () => {
    expect(createSchemaNames({ memoryStoreId: 'mem01' }).thread).toBe('MEM01_MEMORY_THREAD');
    expect(createSchemaNames({ tableNamePrefix: 'dev_' }).thread).toBe('DEV_MEMORY_THREAD');
    expect(createSchemaNames({ tableNamePrefix: 'MEM01' }).textIndex).toBe('MEM01MEMORY_CHUNK_TEXT_IX');
  });

  it('refuses both at once', () => {
    expect(() => createSchemaNames({ memoryStoreId: 'A', tableNamePrefix: 'B' })).toThrow(/not both/);
  });

  it('takes 16 characters of a store id and 30 of a prefix, no more', () => {
    expect(createSchemaNames({ memoryStoreId: 'A'.repeat(16) }).prefix).toHaveLength(17);
    expect(() => createSchemaNames({ memoryStoreId: 'A'.repeat(17) })).toThrow(/memoryStoreId/);
    expect(createSchemaNames({ tableNamePrefix: 'A'.repeat(30) }).prefix).toHaveLength(30);
    expect(() => createSchemaNames({ tableNamePrefix: 'A'.repeat(31) })).toThrow(/tableNamePrefix/);
  });

  it.each(HOSTILE)('refuses %j as store id and as prefix', (value) => {
    expect(() => createSchemaNames({ memoryStoreId: value })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
    expect(() => createSchemaNames({ tableNamePrefix: value })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('gives only identifiers that need no quotes', () => {
    const { indexes, embeddingModel, ...names } = createSchemaNames({ memoryStoreId: 'a_1' });
    expect(embeddingModel).toBeUndefined();
    for (const name of [...indexes, ...Object.values(names)]) expect(name).toMatch(/^[A-Z][A-Z0-9_]{0,60}$/);
  });

  it('takes the name of a model in the database, with its owner or without', () => {
    expect(createSchemaNames({ embeddingModel: 'all_MiniLM_L12' }).embeddingModel).toBe('ALL_MINILM_L12');
    expect(createSchemaNames({ embeddingModel: 'models.E5$1#' }).embeddingModel).toBe('MODELS.E5$1#');
  });

  it.each([
    '',
    '1A',
    '"A"',
    'A B',
    'A.B.C',
    '.A',
    "A USING 'x' AS DATA",
    'A;DROP',
    'モデル',
    'A'.repeat(124),
  ])('refuses "%s" as a model', (embeddingModel) => {
    expect(() => createSchemaNames({ embeddingModel })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
