import { AgentMemory } from '../../../lib/memory/agent-memory.ts';
import { createRulesLlm } from '../../../lib/models/rules/rules-llm.ts';
import { memoryCases } from '../../conformance/memory-cases.ts';
import { openMemory } from '../../memory/open-memory.ts';
import { LIVE_TARGETS, liveNames } from './live-run.ts';

for (const target of LIVE_TARGETS) {
  memoryCases(target.name, async () => {
    const transport = target.openTransport();
    const names = liveNames('memory', target);
    const context = await openMemory({ transport, names, llm: createRulesLlm() });
    return new AgentMemory(context, () => transport.close());
  });
}
