import { expect, it, onTestFinished, vi } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
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
