import { afterAll, beforeAll } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi({ llm: createRulesLlm(), variables: { MEMORY_EXTRACTION: '{}' } });
});
afterAll(() => api.close());

memoryCases('HTTP', async () => api.client);
