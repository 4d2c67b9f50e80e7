import { expect, it } from 'vitest';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { readManagedObjects } from '../../lib/schema/managed-objects.ts';
import { recordIndexKind } from '../../lib/schema/optional-index.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import {
  readSchemaState,
  type SchemaState,
  writeRetention,
  writeSchemaState,
} from '../../lib/schema/schema-state.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import { checkStatementText } from '../../lib/sql/statement-text.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';
import { createSchemaDouble } from './schema-double.ts';

const names = createSchemaNames({ memoryStoreId: 'shop' });
/** The grammar takes its time for the first text. */
const WARM_UP_MILLISECONDS = 120_000;
const state: SchemaState = {
  schemaVersion: 3,
  vectorDimensions: 8,
  searchStrategy: 'vector',
  searchIndexSync: 'on_commit',
  embedderModel: "it's; :x",
  retention: { defaultTtlDays: 1, maxTtlDays: null },
  vectorIndex: 'none',
  jsonIndex: 'none',
};

it(
  'sends Oracle SQL that ORDS takes, with all values in binds',
  async () => {
    const double = createSchemaDouble(names.meta);
    double.objects.add(names.meta);
    const texts: string[] = [];
    const transport: typeof double.transport = {
      ...double.transport,
      query: (query) => {
        texts.push(query.sql);
        return double.transport.query(query);
      },
      executeAtomic: (list) => {
        texts.push(compileBlock(list).sql);
        return double.transport.executeAtomic(list);
      },
    };
    await readManagedObjects(transport, [names.chunk]);
    await writeSchemaState(transport, names, state);
    await writeRetention(transport, names, state.retention);
    expect(await readSchemaState(transport, names)).toEqual(state);
    await recordIndexKind({ transport, names }, 'json_index', 'search');
    expect(await readModelDimensions(transport, 'MODELS.E5', 384)).toBe(384);
    expect(texts).toHaveLength(6);
    for (const text of texts) {
      checkStatementText('text', text);
      expect([text, checkOracleGrammar(text)]).toEqual([text, []]);
      expect(text).not.toContain("it's");
    }
  },
  WARM_UP_MILLISECONDS,
);
