import { expect, it, onTestFinished, vi } from 'vitest';
import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { startStallingProxy } from '../sql/stalling-proxy.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const MESSAGES = [{ role: 'user', content: 'I live in Porto.' }];

it.each(['sqs', 'inline'])(
  'requests that wait for a model are answered by a service that ends, over %s',
  async (queue) => {
    const model = await startLoopbackEndpoint(() => ({ fault: 'hang' }));
    onTestFinished(() => model[Symbol.asyncDispose]());
    const settings = {
      DATA_DIR: await temporaryDirectory(),
      JOB_QUEUE: queue,
      LLM: 'openai-compatible',
      LLM_MODEL: 'loopback',
      LLM_API_BASE: model.apiBase,
    };
    const first = await runningService(settings);
    const memory = createAgentMemoryClient({ baseUrl: first.url, retries: 0 });
    const thread = await memory.createThread({ threadId: 't', extraction: { enableContextSummary: false } });
    const added = thread.addMessages(MESSAGES);
    await vi.waitFor(() => expect(model.received).toHaveLength(1), 20_000);
    const waiting = fetch(`${first.url}/v1/threads/t/wait-for-extraction`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    await vi.waitFor(async () => expect((await thread.getExtraction()).running).toBe(1), 20_000);
    await first.stop('SIGTERM');
    const { extraction } = await added;
    expect(extraction.status).toBe('queued');
    const answer = await waiting;
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ code: 'unavailable', detail: 'the service is ending' });

    const second = await runningService({ ...settings, LLM: 'none' });
    const job = await createAgentMemoryClient({ baseUrl: second.url }).getJob(extraction.jobId ?? '');
    expect(job.status).not.toBe('running');
    await second.stop();
  },
);

it('a service ends though the database behind its sessions has fallen silent', async () => {
  const emulator = await startEmulator({ tnsPort: 0 });
  const proxy = await startStallingProxy(Number(/:(\d+)\//.exec(emulator.connectString ?? '')?.[1]));
  onTestFinished(async () => {
    await proxy.close();
    await emulator.close();
  });
  const service = await runningService({
    ORACLE_TRANSPORT: 'thin',
    ORACLE_CONNECT_STRING: `127.0.0.1:${proxy.port}/AGENTMEMORY`,
    ORACLE_USER: emulator.username,
    ORACLE_PASSWORD: emulator.password,
    EMBEDDER: 'local',
    JOB_QUEUE: 'inline',
    SCHEMA_POLICY: 'create_if_necessary',
  });
  proxy.stall();
  await service.stop('SIGTERM');
});
