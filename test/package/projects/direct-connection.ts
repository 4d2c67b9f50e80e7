import { openAgentMemory } from 'agent-memory-functions';
import { startEmulator } from 'agent-memory-functions/emulator';
import { readMigrations } from 'agent-memory-functions/migrations';
import { createThinTransport } from 'agent-memory-functions/node-oracledb';
import { loadTokenizer } from 'agent-memory-functions/tokenizer';

const emulator = await startEmulator({ tnsPort: 0 });
const transport = createThinTransport(
  {
    connectString: emulator.connectString ?? '',
    credentials: { kind: 'password', user: emulator.username, password: emulator.password },
  },
  async () => (await import('oracledb')).default,
);
const memory = await openAgentMemory({
  transport,
  tokenizer: await loadTokenizer(),
  searchStrategy: 'keyword',
  schemaPolicy: 'create_if_empty',
  migrations: readMigrations(),
});
await memory.addMemory('a green kettle', { userId: 'ana' });
const found = await memory.search('kettle', { userId: 'ana' });
console.log(JSON.stringify(found.map(({ content }) => content)));
await memory.close();
await transport.close();
await emulator.close();
