import { expect, it } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createTestContext } from '../memory/test-context.ts';

it('docs/context-card.md shows the card that this conversation leads to (contract §9.2)', async () => {
  const { memory, clock } = createTestContext({
    context: { llm: createRulesLlm(), embedder: loadLocalEmbedder() },
    settings: { extraction: {} },
  });
  const earlier = await memory.createThread({ userId: 'maya', agentId: 'pia' });
  await earlier.addMessages([
    { role: 'user', content: 'I live in Porto and I prefer trains over planes.' },
    { role: 'assistant', content: 'Noted: trains first.' },
  ]);
  clock.advance(3_600_000);
  const thread = await memory.createThread({ userId: 'maya', agentId: 'pia' });
  await thread.addMessages([
    { role: 'user', content: 'Please always give prices in euros. How do I get to Madrid for < 100?' },
    { role: 'assistant', content: 'There is a night train & a bus.' },
  ]);
  const { content } = await thread.getContextCard();
  await expect(`${content}\n`).toMatchFileSnapshot('../../examples/context-card.xml');
});
