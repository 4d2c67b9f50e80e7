import { createAgentMemoryClient } from '../../lib/client/index.ts';

const memory = createAgentMemoryClient({
  baseUrl: process.env.AGENT_MEMORY_URL ?? 'http://127.0.0.1:8787',
  apiKey: process.env.AGENT_MEMORY_API_KEY,
});

const RECORD_TYPES = [
  ...(['message', 'memory', 'fact', 'preference', 'guideline'] as const),
  ...(['user_profile', 'agent_profile'] as const),
];

// Retrieval text that is given is split and embedded anew; the record stays as it is.
for (const recordType of RECORD_TYPES) {
  let count = 0;
  for await (const { id, content } of memory.records.iterate({ recordType })) {
    if (content === null) continue;
    count += await memory.records.update(recordType, id, { indexText: content });
  }
  console.log(`${recordType}: ${count} embedded`);
}
