import {
  cancelJobContract,
  getExtractionContract,
  getJobContract,
  listJobsContract,
  retryJobContract,
  waitForExtractionContract,
} from '../../lib/schemas/operations/jobs.ts';
import { defineExample } from './define-example.ts';
import { CHANGED_AT, JOB_ID, STORED_AT, SUCCEEDED_JOB, THREAD_ID } from './example-values.ts';

const parameters = { jobId: JOB_ID };
const threadParameters = { threadId: THREAD_ID };
const watermark = 'ZXh0cmFjdGlvbjo3';
const withoutResult = { memoryIds: [], llmCalls: 1, promptTokens: null, completionTokens: null };

export const JOB_EXAMPLES = [
  defineExample(getExtractionContract, {
    parameters: threadParameters,
    response: {
      pending: 0,
      running: 0,
      succeeded: 1,
      failed: 0,
      dead: 0,
      cancelled: 0,
      jobs: [SUCCEEDED_JOB],
    },
  }),
  defineExample(waitForExtractionContract, {
    parameters: threadParameters,
    body: { timeoutSeconds: 0, watermark },
    response: { status: 'completed', succeeded: 1, failed: 0 },
    pendingResponse: { status: 'pending', watermark, pending: 1 },
  }),
  defineExample(listJobsContract, {
    query: { threadId: THREAD_ID, status: 'failed', limit: '5', cursor: 'am9iczo3' },
    response: {
      items: [
        {
          ...SUCCEEDED_JOB,
          ...withoutResult,
          status: 'failed',
          reason: { code: 'model_failed', detail: 'The model call failed.' },
        },
      ],
      nextCursor: null,
    },
  }),
  defineExample(getJobContract, { parameters, response: SUCCEEDED_JOB }),
  defineExample(retryJobContract, { parameters, response: { ...SUCCEEDED_JOB, attempt: 2 } }),
  defineExample(cancelJobContract, {
    parameters,
    response: {
      ...SUCCEEDED_JOB,
      ...withoutResult,
      status: 'cancelled',
      attempt: 0,
      llmCalls: 0,
      createdAt: STORED_AT,
      startedAt: null,
      finishedAt: CHANGED_AT,
    },
  }),
];
