import { expect, it } from 'vitest';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { Job } from '../../lib/schemas/job.ts';
import type { AddMessagesResponse } from '../../lib/schemas/message.ts';
import { runningService } from './running-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Writes the messages of one client, each as soon as the one before it is stored. */
async function writeInTurn(
  thread: ThreadApi,
  client: number,
  messages: number,
): Promise<readonly AddMessagesResponse[]> {
  const answers: AddMessagesResponse[] = [];
  for (let message = 0; message < messages; message += 1) {
    const content = `Client ${client} says ${message}.`;
    answers.push(await thread.addMessages([{ id: `${client}-${message}`, role: 'user', content }]));
  }
  return answers;
}

it.each([
  { clients: 50, messages: 100, frequency: 30 },
  { clients: 10, messages: 10, frequency: -1 },
])(
  '$clients clients write $messages messages each to one thread, which extracts at frequency $frequency',
  async ({ clients, messages, frequency }) => {
    const service = await runningService({ DATA_DIR: await temporaryDirectory(), JOB_QUEUE: 'sqs' });
    const memory = createAgentMemoryClient({ baseUrl: service.url });
    const thread = await memory.createThread({
      extraction: {
        extractionMode: 'background',
        memoryExtractionFrequency: frequency,
        enableContextSummary: false,
      },
    });
    const perClient = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const own = createAgentMemoryClient({ baseUrl: service.url });
        return writeInTurn(await own.getThread(thread.threadId), client, messages);
      }),
    );

    const stored = (await thread.getMessages({ start: 0, end: -1 })).map(({ id }) => id);
    expect(stored).toHaveLength(clients * messages);
    for (const [client, answers] of perClient.entries()) {
      const inOrder = stored.filter((id) => id.startsWith(`${client}-`));
      expect(inOrder).toEqual(answers.flatMap(({ ids }) => ids));
      expect(inOrder).toHaveLength(messages);
    }

    const each = frequency === -1 ? 1 : frequency;
    const jobCount = Math.floor(stored.length / each);
    const queued = perClient.flat().filter(({ extraction }) => extraction.status === 'queued');
    expect(await thread.waitForExtraction()).toEqual({ succeeded: jobCount, failed: 0 });
    const jobs: Job[] = [];
    for await (const job of memory.iterateJobs({ threadId: thread.threadId })) jobs.unshift(job);
    expect(jobs.map(({ jobId }) => jobId).sort()).toEqual(
      queued.map(({ extraction }) => extraction.jobId).sort(),
    );
    expect(jobs.flatMap(({ messageIds }) => messageIds)).toEqual(stored.slice(0, jobCount * each));
    for (const job of jobs) {
      expect(job).toMatchObject({ status: 'succeeded', attempt: 1, llmCalls: 1 });
      expect(job.messageIds).toHaveLength(each);
    }
    await service.stop();
  },
  180_000,
);
