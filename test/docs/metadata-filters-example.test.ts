import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { metadataSchema } from '../../lib/schemas/metadata.ts';
import { expectError } from '../conformance/memory-stage.ts';
import { type EmulatedMemory, openEmulatedMemory } from '../memory/emulated-memory.ts';

const { metadata, filters, refused } = z
  .strictObject({
    metadata: z.record(z.string(), metadataSchema),
    filters: z.array(z.strictObject({ filter: metadataSchema, finds: z.array(z.string()) })).min(1),
    refused: z.array(z.strictObject({ filter: metadataSchema, at: z.string() })).min(1),
  })
  .parse(JSON.parse(readProjectFile('examples/metadata-filters.json')));

let emulated: EmulatedMemory;
beforeAll(async () => {
  emulated = await openEmulatedMemory(createRulesLlm());
  const names = Object.keys(metadata);
  await emulated.memory.records.add({
    recordType: 'fact',
    contents: names.map(() => 'the same text'),
    recordIds: names,
    userIds: 'ana',
    metadata: Object.values(metadata),
  });
});
afterAll(() => emulated?.memory.close());

describe('the page on metadata filters', () => {
  it.each(filters.map(({ filter, finds }) => [JSON.stringify(filter), filter, finds] as const))(
    'says what %s finds',
    async (_, metadataFilter, finds) => {
      const { memory } = emulated;
      const owner = { userId: 'ana', metadataFilter };
      const results = [
        (await memory.records.list({ recordType: 'fact', ...owner })).items,
        await memory.records.search({ query: 'text', k: 10, exactUserMatch: true, ...owner }),
        await memory.search('text', owner),
      ];
      for (const found of results) {
        expect(found.map(({ id }) => id).toSorted()).toEqual(finds.toSorted());
      }
    },
  );

  it.each(refused.map(({ filter, at }) => [JSON.stringify(filter), filter, at] as const))(
    'says where %s is wrong',
    async (_, metadataFilter, at) => {
      const { records } = emulated.memory;
      await expectError(records.list({ recordType: 'fact', metadataFilter }), 'invalid_request', at);
      await expectError(records.search({ query: 'a', k: 1, metadataFilter }), 'invalid_request', at);
    },
  );
});
