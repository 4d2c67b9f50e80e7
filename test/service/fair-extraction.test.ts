import { expect, it, onTestFinished } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { extracted } from '../memory/test-context.ts';
import { type LoopbackAnswer, startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** More than the workers of a service. */
const TROUBLED_THREADS = 12;
const JOBS_OF_A_THREAD = 2;
const HEALTHY_JOBS = 3;
const MEMORIES = JSON.stringify({ memories: [extracted('The user lives in Porto.')] });
const COMPLETION = {
  id: '1',
  model: 'loopback',
  choices: [{ index: 0, message: { role: 'assistant', content: MEMORIES }, finish_reason: 'stop' }],
};

async function writeJobs(memory: AgentMemoryApi, userId: string, jobs: number): Promise<ThreadApi> {
  const extraction = { extractionMode: 'background', enableContextSummary: false } as const;
  const thread = await memory.createThread({ userId, extraction });
  for (let job = 0; job < jobs; job += 1) {
    await thread.addMessages([{ role: 'user', content: `I am ${userId} and live in Porto.` }]);
  }
  return thread;
}

const TROUBLES: readonly { readonly trouble: string; readonly answer: LoopbackAnswer }[] = [
  { trouble: 'hang', answer: { fault: 'hang' } },
  { trouble: 'fail', answer: { status: 503 } },
  { trouble: 'are cut off', answer: { fault: 'cut' } },
];

it.each(TROUBLES)("a user whose model calls $trouble does not hold up another's jobs", async ({ answer }) => {
  const endpoint = await startLoopbackEndpoint(({ body }) =>
    JSON.stringify(body).includes('I am troubled') ? answer : { body: COMPLETION },
  );
  onTestFinished(() => endpoint[Symbol.asyncDispose]());
  const service = await runningService({
    DATA_DIR: await temporaryDirectory(),
    JOB_QUEUE: 'sqs',
    LLM: 'openai-compatible',
    LLM_MODEL: 'loopback',
    LLM_API_BASE: endpoint.apiBase,
  });
  const memory = createAgentMemoryClient({ baseUrl: service.url });
  const troubled: ThreadApi[] = [];
  for (let thread = 0; thread < TROUBLED_THREADS; thread += 1) {
    troubled.push(await writeJobs(memory, 'troubled', JOBS_OF_A_THREAD));
  }
  const healthy = await writeJobs(memory, 'healthy', HEALTHY_JOBS);
  expect(await healthy.waitForExtraction()).toEqual({ succeeded: HEALTHY_JOBS, failed: 0 });
  for (const thread of troubled) {
    const { pending, running } = await thread.getExtraction();
    expect(pending + running).toBe(JOBS_OF_A_THREAD);
  }
  await service.stop('SIGKILL');
});
