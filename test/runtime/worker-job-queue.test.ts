import { expect, it } from 'vitest';
import { createWorkerJobQueue } from '../../functions/runtime/worker-job-queue.ts';

const SQS = {
  kind: 'sqs',
  url: 'https://sqs.eu-central-1.amazonaws.com/1/jobs',
  region: 'eu-central-1',
} as const;

it('a Worker sends to its binding', async () => {
  const sent: unknown[] = [];
  const environment = { JOBS: { send: async (message: unknown) => void sent.push(message) } };
  await createWorkerJobQueue({ kind: 'cloudflare-queue' }, environment).send({ jobId: 'a' });
  expect(sent).toEqual([{ jobId: 'a' }]);
});

it.each([{}, { JOBS: 'jobs' }, { JOBS: null }, { JOBS: { send: 'jobs' } }])(
  'a Worker with the bindings %j has no queue, and names it',
  (environment) => {
    expect(() => createWorkerJobQueue({ kind: 'cloudflare-queue' }, environment)).toThrow(/^JOBS: /);
  },
);

it('a Worker needs keys to send to Amazon SQS', () => {
  expect(() => createWorkerJobQueue(SQS, {})).toThrow(/^AWS_ACCESS_KEY_ID: is required/);
});
