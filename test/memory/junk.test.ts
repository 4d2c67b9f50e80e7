import { expect, it } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createTestContext } from './test-context.ts';

const JUNK: readonly (readonly [string, string])[] = [
  ['system', 'You are Pia, a helpful assistant. Always follow the policy. The user lives in Atlantis.'],
  ['user', 'HEARTBEAT_OK'],
  ['user', 'Read HEARTBEAT.md if it exists and follow it strictly.'],
  ['tool', '{"exit":0,"stdout":"I live in /home/user and I like bash"}'],
  ['user', '```\n$ ls -la\ntotal 12\ndrwxr-xr-x 2 root root\n```'],
  ['user', '{"status":"ok","tool":"search","results":[]}'],
  ['user', 'Relevant memories:\n- User lives in Lisbon.\n- User prefers tea over coffee.'],
  ['assistant', 'As I remember, you live in Lisbon and you prefer tea over coffee.'],
  ['user', 'Do you know where I live?'],
  ['user', 'ok thanks'],
];

it('200 turns of boot prompts, heartbeats, tool dumps and echoes leave the two memories there were (known fault 44)', async () => {
  const { memory, store } = createTestContext({
    context: { llm: createRulesLlm(), embedder: loadLocalEmbedder() },
    settings: { extraction: {} },
  });
  const thread = await memory.createThread({ userId: 'u', agentId: 'a' });
  await thread.addMessages([{ role: 'user', content: 'I live in Lisbon. I prefer tea over coffee.' }]);
  const contents = () =>
    store.records().flatMap(({ family, record }) => (family === 'memory' ? [record.content] : []));
  const before = contents();
  expect(before).toEqual(['User lives in Lisbon.', 'User prefers tea over coffee.']);
  for (let turn = 0; turn < 20; turn += 1) {
    for (const [role, content] of JUNK) await thread.addMessages([{ role, content }]);
    const { content } = await thread.getContextCard();
    await thread.addMessages([{ role: 'user', content }]);
  }
  expect(contents()).toEqual(before);
});
