import { createRulesLlm, openAgentMemory } from 'agent-memory-functions';
import { startEmulator } from 'agent-memory-functions/emulator';
import { readMigrations } from 'agent-memory-functions/migrations';
import { createOrdsTransport } from 'agent-memory-functions/ords';
import { createHashEmbedder } from 'agent-memory-functions/testing';
import { loadTokenizer } from 'agent-memory-functions/tokenizer';

// An Oracle of this process; with a real one, `url` and `credentials` are yours and `fetch` is left out.
const emulator = await startEmulator();
const transport = createOrdsTransport(
  {
    url: emulator.ordsUrl,
    credentials: { kind: 'basic', username: emulator.username, password: emulator.password },
  },
  { fetch: emulator.fetch },
);

const memory = await openAgentMemory({
  transport,
  embedder: createHashEmbedder(), // knows words, not meanings: for tests
  llm: createRulesLlm(),
  tokenizer: await loadTokenizer(),
  schemaPolicy: 'create_if_necessary',
  migrations: readMigrations(),
});

const thread = await memory.createThread({ userId: 'lena', agentId: 'pia' });
await thread.addMessages([{ role: 'user', content: 'I prefer trains over planes. I live in Porto.' }]);

for (const { recordType, content } of await memory.search('planes or trains', {
  userId: 'lena',
  recordTypes: ['fact', 'preference'],
}))
  console.log(recordType, content);

console.log(`${await thread.getContextCard()}`);

await memory.close();
await transport.close();
await emulator.close();
