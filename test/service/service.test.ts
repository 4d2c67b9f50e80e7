import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const WITHOUT_EXTRACTION = { extraction: { extractMemories: false } };

describe('npm start', () => {
  it('loses nothing that was acknowledged when it is killed', async () => {
    const DATA_DIR = await temporaryDirectory();
    const first = await runningService({ DATA_DIR });
    const thread = await createAgentMemoryClient({ baseUrl: first.url }).createThread(WITHOUT_EXTRACTION);
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let index = 0; ; index += 1) {
        const { ids } = await thread.addMessages([{ role: 'user', content: `Message ${index}.` }]);
        acknowledged.push(...ids);
        if (acknowledged.length === 40) void first.stop('SIGKILL');
      }
    })();
    await expect(writing).rejects.toThrow();

    const second = await runningService({ DATA_DIR });
    const reopened = await createAgentMemoryClient({ baseUrl: second.url }).getThread(thread.threadId);
    const stored = (await reopened.getMessages({ start: 0, end: -1 })).map((message) => message.id);
    expect(acknowledged.length).toBeGreaterThanOrEqual(40);
    expect(stored.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(stored.length - acknowledged.length).toBeLessThanOrEqual(1);
  });

  it('refuses a data directory that another process has, and says how to share', async () => {
    const DATA_DIR = await temporaryDirectory();
    await runningService({ DATA_DIR });
    await expect(runningService({ DATA_DIR })).rejects.toThrow(/ended with code 1/);
  });

  it('answers to this computer’s own name only, as long as it asks for no credential', async () => {
    const service = await runningService({});
    const status = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${service.url}/health/live`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    expect(await status(new URL(service.url).host)).toBe(200);
    expect(await status('page.example')).toBe(403);
  });

  it('goes through the listener of its emulator with thin, and keeps what it wrote', async () => {
    const settings = { DATA_DIR: await temporaryDirectory(), ORACLE_TRANSPORT: 'thin' };
    const first = await runningService(settings);
    const ready = await fetch(`${first.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ status: 'ok', transport: 'thin' });
    const { threadId } = await createAgentMemoryClient({ baseUrl: first.url }).createThread();
    await first.stop();
    const second = await runningService({ ...settings, ORACLE_TRANSPORT: 'emulator' });
    const reopened = createAgentMemoryClient({ baseUrl: second.url });
    expect(await reopened.getThread(threadId)).toMatchObject({ threadId });
  });

  it('shares one store with another service through one emulator, each in its own way', async () => {
    const emulator = await startEmulator({ ordsPort: 0, tnsPort: 0 });
    try {
      const overOrds = {
        ORACLE_TRANSPORT: 'ords',
        ORDS_URL: emulator.ordsUrl,
        ORDS_USERNAME: emulator.username,
        ORDS_PASSWORD: emulator.password,
        MEMORY_STORE_ID: 'shared',
      };
      const direct = {
        ORACLE_TRANSPORT: 'thin',
        ORACLE_CONNECT_STRING: emulator.connectString ?? '',
        ORACLE_USER: emulator.username,
        ORACLE_PASSWORD: emulator.password,
        MEMORY_STORE_ID: 'shared',
      };
      const [one, other] = await Promise.all([runningService(overOrds), runningService(direct)]);
      const thread = await createAgentMemoryClient({ baseUrl: one.url }).createThread({ userId: 'maya' });
      await thread.addMessages([{ role: 'user', content: 'I live in Porto.' }]);
      const found = await createAgentMemoryClient({ baseUrl: other.url }).search('Porto', { userId: 'maya' });
      expect(found.map((result) => result.recordType).sort()).toEqual(['fact', 'message']);
      await one.stop();
      await other.stop();
    } finally {
      await emulator.close();
    }
  });
});
