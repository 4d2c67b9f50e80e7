import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ llm: createRulesLlm(), variables: { MEMORY_EXTRACTION: '{}' } });
});
afterAll(() => api.close());

memoryCases('HTTP', async () => api.client);

it('answers as the OpenAPI document says, all the way', () => {
  const { checked } = api.openApi;
  expect([...checked.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 409]));
});
