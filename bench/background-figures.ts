import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi, ThreadApi } from '../lib/schemas/agent-memory-api.ts';
import type { MemoryExtractionConfig } from '../lib/schemas/extraction.ts';
import type { Figure } from './figure.ts';
import { startModelEndpoint } from './model-endpoint.ts';
import { startServiceProcess } from './service-process.ts';
import { percentile, time } from './statistics.ts';

const WRITES = 200;
const WARM_UP = 20;
const THREADS = 200;
const STORED_MESSAGES = 2_000;
const BATCH = 500;
/** Other work on the machine makes rounds slower, never faster: the best one counts. */
const ROUNDS = 3;
/** A round of them takes longer than the model, so that none falls between the jobs. */
const SEARCHES = 300;
const SLOW_MODEL_MILLISECONDS = 1_000;
const USER = 'bench';
const OFF: MemoryExtractionConfig = { extractMemories: false };
const BACKGROUND: MemoryExtractionConfig = { extractionMode: 'background', enableContextSummary: false };

function write(thread: ThreadApi, count = 1): Promise<unknown> {
  const content = 'I keep the spare key with the neighbour on the second floor.';
  return thread.addMessages(Array.from({ length: count }, () => ({ role: 'user', content })));
}

/** Measures a service of its own, whose model answers after so long. */
async function withService(
  modelMilliseconds: number,
  measure: (memory: AgentMemoryApi) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-memory-bench-'));
  const model = await startModelEndpoint(modelMilliseconds);
  const service = await startServiceProcess({ DATA_DIR: directory, JOB_QUEUE: 'sqs', ...model.settings });
  try {
    return await measure(createAgentMemoryClient({ baseUrl: service.url }));
  } finally {
    await service.stop();
    await model.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes with and without a job in turn, each when the job before it has ended. */
async function writeFigures(memory: AgentMemoryApi): Promise<readonly Figure[]> {
  const plain = await memory.createThread({ extraction: OFF });
  const background = await memory.createThread({ extraction: BACKGROUND });
  const without: number[] = [];
  const withJob: number[] = [];
  for (let turn = 0; turn < WARM_UP + WRITES; turn += 1) {
    without.push(...(await time(1, () => write(plain))));
    withJob.push(...(await time(1, () => write(background))));
    await background.waitForExtraction();
  }
  const [one, other] = [without.slice(WARM_UP), withJob.slice(WARM_UP)];
  const finished = (await jobMilliseconds(memory, background.threadId)).slice(0, WRITES);
  return [
    { name: 'addMessages without extraction, p50', value: percentile(one, 0.5), unit: 'ms' },
    { name: 'addMessages without extraction, p95', value: percentile(one, 0.95), unit: 'ms' },
    { name: 'addMessages with a background job, p50', value: percentile(other, 0.5), unit: 'ms' },
    { name: 'addMessages with a background job, p95', value: percentile(other, 0.95), unit: 'ms' },
    {
      name: 'addMessages with a background job to that without, p50',
      value: percentile(other, 0.5) / percentile(one, 0.5),
      unit: '',
    },
    { name: 'from the write to the finished job, p50', value: percentile(finished, 0.5), unit: 'ms' },
    { name: 'from the write to the finished job, p95', value: percentile(finished, 0.95), unit: 'ms' },
  ];
}

/** How long after the write each job ended, by the times of their rows; newest first. */
async function jobMilliseconds(memory: AgentMemoryApi, threadId: string): Promise<readonly number[]> {
  const passed: number[] = [];
  for await (const { createdAt, finishedAt } of memory.iterateJobs({ threadId })) {
    passed.push(Date.parse(finishedAt ?? '') - Date.parse(createdAt));
  }
  return passed;
}

/** The 95th percentile of the best round. */
async function timeSearches(memory: AgentMemoryApi): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const passed = await time(SEARCHES, () => memory.search('Where is the spare key?', { userId: USER }));
    rounds.push(percentile(passed, 0.95));
  }
  return Math.min(...rounds);
}

/** Searches before and while the jobs of many threads wait for a slow model. */
async function searchFigures(memory: AgentMemoryApi): Promise<readonly Figure[]> {
  const plain = await memory.createThread({ userId: USER, extraction: OFF });
  await time(STORED_MESSAGES / BATCH, () => write(plain, BATCH));
  const idle = await timeSearches(memory);
  const threads = await Promise.all(
    Array.from({ length: THREADS }, (_, index) =>
      memory.createThread({ userId: `user ${index}`, extraction: BACKGROUND }),
    ),
  );
  const start = performance.now();
  await Promise.all(threads.map((thread) => write(thread)));
  const busy = await timeSearches(memory);
  if ((await memory.listJobs({ status: 'pending' })).items.length === 0) {
    throw new Error('the jobs ended before the searches did');
  }
  for (const thread of threads) await thread.waitForExtraction();
  return [
    { name: 'search, no job at work, p95', value: idle, unit: 'ms' },
    { name: `search, ${THREADS} threads at work, p95`, value: busy, unit: 'ms' },
    {
      name: `search, ${THREADS} threads at work to none, p95`,
      value: busy / idle,
      unit: '',
      bound: 2,
    },
    {
      name: `${THREADS} jobs with a model that takes ${SLOW_MODEL_MILLISECONDS} ms`,
      value: performance.now() - start,
      unit: 'ms',
    },
  ];
}

/** What background extraction costs those who write and search while it goes on, over `npm start`. */
export async function backgroundFigures(): Promise<readonly Figure[]> {
  return [
    ...(await withService(0, writeFigures)),
    ...(await withService(SLOW_MODEL_MILLISECONDS, searchFigures)),
  ];
}
