import { expect, it, onTestFinished, vi } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import { extracted } from '../memory/test-context.ts';
import { startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const THREADS = ['one', 'two', 'three', 'four', 'five'];
/** Model calls of the first process that never end. */
const HELD_CALLS = 3;
const MEMORIES = JSON.stringify({ memories: [extracted('The user lives in Porto.')] });
const COMPLETION = {
  id: '1',
  model: 'loopback',
  choices: [{ index: 0, message: { role: 'assistant', content: MEMORIES }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};

async function write(memory: AgentMemoryApi, threadId: string): Promise<void> {
  const extraction = { extractionMode: 'background', enableContextSummary: false } as const;
  const thread = await memory.createThread({ threadId, userId: `user of ${threadId}`, extraction });
  const answer = await thread.addMessages([{ role: 'user', content: 'I live in Porto.' }]);
  expect(answer.extraction.status).toBe('queued');
}

it.each(['sqs', 'inline'])('jobs over %s survive that their process is killed over them', async (queue) => {
  const endpoint = await startLoopbackEndpoint((_, count) =>
    count <= HELD_CALLS ? { fault: 'hang' } : { body: COMPLETION },
  );
  onTestFinished(() => endpoint[Symbol.asyncDispose]());
  const settings = {
    DATA_DIR: await temporaryDirectory(),
    JOB_QUEUE: queue,
    JOB_LEASE_SECONDS: '5',
    LLM: 'openai-compatible',
    LLM_MODEL: 'loopback',
    LLM_API_BASE: endpoint.apiBase,
  };
  const first = await runningService(settings);
  for (const threadId of THREADS) await write(createAgentMemoryClient({ baseUrl: first.url }), threadId);
  await vi.waitFor(() => expect(endpoint.received.length).toBeGreaterThanOrEqual(HELD_CALLS), 20_000);
  await first.stop('SIGKILL');

  const second = await runningService(settings);
  const memory = createAgentMemoryClient({ baseUrl: second.url });
  for (const threadId of THREADS) {
    const thread = await memory.getThread(threadId);
    expect(await thread.waitForExtraction({ timeoutSeconds: 60 })).toEqual({ succeeded: 1, failed: 0 });
    const { items } = await memory.listMemories({ threadId });
    expect(items.map(({ content }) => content)).toEqual(['The user lives in Porto.']);
  }
  const { items: jobs } = await memory.listJobs();
  const attempts = jobs.map(({ attempt }) => attempt);
  expect(attempts.filter((attempt) => attempt === 2).length).toBeGreaterThanOrEqual(HELD_CALLS);
  expect(Math.max(...attempts)).toBe(2);
  await second.stop();
});
