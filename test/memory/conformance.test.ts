import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { AUDIT_CASES, EXPORT_CASES } from '../conformance/memory-governance-cases.ts';
import { createTestContext } from './test-context.ts';

memoryCases(
  'the in-process library and a store in memory',
  async () => createTestContext({ context: { llm: createRulesLlm() }, settings: { extraction: {} } }).memory,
  [
    {
      test: 'an expiry that is past already makes a message invisible at once (contract §11)',
      reason: 'the test store keeps no expiry',
    },
    ...[
      'an update moves the expiry by the rules of contract §4.5',
      'a timestamp anchor needs a new or a stored timestamp (contract §4.5)',
      'an expired memory can neither be used nor refreshed (contract §4.5, §11)',
      'a message that has expired cannot be updated or refreshed (contract §4.5)',
      'days and anchors hold for the batch or align one to one, a time without offset is UTC (contract §4.3)',
      'days from a timestamp need the stored one, days alone count from the creation (contract §4.5)',
    ].map((test) => ({ test, reason: 'the test store keeps no expiry' })),
    ...[
      'a thread created twice with one key is one thread',
      'messages added twice with one key are there once, and so is what was extracted',
      'memories and records added twice with one key keep their ids',
      'a key of another call is idempotency_mismatch, and its call stays as it was',
      'a call that was refused is made when it is repeated with its key',
    ].map((test) => ({ test, reason: 'the test store records no requests' })),
    ...Object.keys(EXPORT_CASES).map((test) => ({ test, reason: 'the test store exports nothing' })),
    ...Object.keys(AUDIT_CASES).map((test) => ({ test, reason: 'the test store keeps no audit trail' })),
    {
      test: 'updatedAt moves with an update, createdAt stays (contract §4.5)',
      reason: 'the clock of the test stands still',
    },
    {
      test: 'a time to live sets the expiry from its anchor (contract §11)',
      reason: 'the test store keeps no expiry',
    },
  ],
);
