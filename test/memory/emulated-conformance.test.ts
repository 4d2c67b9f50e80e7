import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { openEmulatedMemory } from './emulated-memory.ts';

memoryCases(
  'the in-process library and the emulated database',
  async () => (await openEmulatedMemory(createRulesLlm())).memory,
);

memoryCases(
  'the in-process library and installed statements of the emulated database',
  async () => (await openEmulatedMemory(createRulesLlm(), { entrance: 'module' })).memory,
);

memoryCases(
  'the in-process library and the emulated database over a direct connection',
  async () => (await openEmulatedMemory(createRulesLlm(), { entrance: 'thin' })).memory,
);
