import { describe, expect, it } from 'vitest';
import { installModule } from '../../infra/local/install-module.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState } from '../../lib/schema/schema-state.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const MODULE = { ORACLE_TRANSPORT: 'ords', ORDS_MODE: 'module' };
const names = createSchemaNames();
const FILTER = { color: { $not: 'red' } };

async function widthOf({ ordsUrl: url, username, password }: Emulator): Promise<number> {
  const credentials = { kind: 'basic', username, password } as const;
  const state = await readSchemaState(createOrdsTransport({ url, credentials }), names);
  return state?.vectorDimensions ?? 0;
}

describe('npm start with ORDS_MODE=module', () => {
  it('installs schema and statements in its own emulator, at every start', async () => {
    const settings = { ...MODULE, DATA_DIR: await temporaryDirectory() };
    const first = await runningService(settings);
    const writing = createAgentMemoryClient({ baseUrl: first.url });
    for (const color of ['blue', 'red']) {
      await writing.addMemory(`the ${color} kettle`, { memoryId: color, userId: 'ana', metadata: { color } });
    }
    await first.stop('SIGTERM');
    const second = await runningService(settings);
    const reading = createAgentMemoryClient({ baseUrl: second.url });
    const found = await reading.search('kettle', { userId: 'ana', metadataFilter: FILTER });
    expect(found.map(({ id }) => id)).toEqual(['blue']);
  });

  it('leaves the schema of another database alone, and serves from what is installed there', async () => {
    const emulator = await startEmulator({ ordsPort: 0 });
    try {
      const place = {
        ORACLE_TRANSPORT: 'ords',
        ORDS_URL: emulator.ordsUrl,
        ORDS_USERNAME: emulator.username,
        ORDS_PASSWORD: emulator.password,
      };
      const owner = await runningService({ ...place, JOB_QUEUE: 'inline' });
      await installModule(emulator, names, await widthOf(emulator));
      const service = await runningService({ ...place, ...MODULE, JOB_QUEUE: 'inline' });
      const memory = createAgentMemoryClient({ baseUrl: service.url });
      await memory.addMemory('the blue kettle', { memoryId: 'blue', userId: 'ana' });
      const other = createAgentMemoryClient({ baseUrl: owner.url });
      expect((await other.search('kettle', { userId: 'ana' })).map(({ id }) => id)).toEqual(['blue']);
    } finally {
      await emulator.close();
    }
  });
});
