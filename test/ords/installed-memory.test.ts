import { listStatements } from '../../infra/ords/statement-list.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { openEmulatedMemory } from '../memory/emulated-memory.ts';
import { MEMORY_DIMENSIONS } from '../memory/open-memory.ts';
import { createFilterFunction, withInstalledStatements } from './installed-statements.ts';

memoryCases('the in-process library over installed statements alone', async () => {
  const names = createSchemaNames();
  const list = await listStatements({ names, dimensions: MEMORY_DIMENSIONS, vectorIndex: 'none' });
  const { memory, transport } = await openEmulatedMemory(createRulesLlm(), {
    wrapTransport: (wrapped) => withInstalledStatements(wrapped, list),
  });
  await createFilterFunction(transport, names);
  return memory;
});
