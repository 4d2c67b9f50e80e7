import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';

const memory = createAgentMemoryClient({ baseUrl: process.env.AGENT_MEMORY_URL ?? 'http://127.0.0.1:8787' });

const thread = await memory.createThread({ userId: 'noah', agentId: 'pia' });
await thread.addMessages([
  { role: 'user', content: "I'm allergic to peanuts. Please always mention allergens." },
  { role: 'assistant', content: 'I will mention allergens with every restaurant.' },
]);

for (const result of await memory.search('food', {
  userId: 'noah',
  recordTypes: ['fact', 'preference', 'guideline'],
}))
  console.log(result.recordType, result.content);

console.log((await thread.getContextCard()).content);
