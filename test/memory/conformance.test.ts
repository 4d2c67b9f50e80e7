import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { createTestContext } from './test-context.ts';

memoryCases(
  'the in-process library and a store in memory',
  async () => createTestContext({ context: { llm: createRulesLlm() }, settings: { extraction: {} } }).memory,
  [
    {
      test: 'an expiry that is past already makes a message invisible at once (contract §11)',
      reason: 'the test store keeps no expiry',
    },
    {
      test: 'a time to live sets the expiry from its anchor (contract §11)',
      reason: 'the test store keeps no expiry',
    },
  ],
);
