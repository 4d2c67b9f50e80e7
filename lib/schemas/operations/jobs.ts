import { waitForExtractionRequestSchema, waitForExtractionResponseSchema } from '../extraction-wait.ts';
import {
  jobPageSchema,
  jobParametersSchema,
  jobSchema,
  listJobsQuerySchema,
  threadExtractionSchema,
} from '../job.ts';
import { defineContract, noBody, noFields } from '../operation-contract.ts';
import { threadParametersSchema } from '../thread.ts';

export const getExtractionContract = defineContract({
  id: 'getExtraction',
  method: 'get',
  path: '/threads/{threadId}/extraction',
  summary: 'Count the extraction jobs of a thread by state and show the latest',
  access: 'threads:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: threadExtractionSchema,
  errors: ['not_found'],
});

export const waitForExtractionContract = defineContract({
  id: 'waitForExtraction',
  method: 'post',
  path: '/threads/{threadId}/wait-for-extraction',
  summary: 'Wait until the extraction jobs that a thread has now have ended',
  access: 'threads:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: waitForExtractionRequestSchema,
  status: 200,
  goesOn: (answer) => answer.status === 'pending',
  response: waitForExtractionResponseSchema,
  errors: ['not_found'],
});

export const listJobsContract = defineContract({
  id: 'listJobs',
  method: 'get',
  path: '/jobs',
  summary: 'List extraction jobs, newest first',
  access: 'jobs:read',
  readOnly: true,
  parameters: noFields,
  query: listJobsQuerySchema,
  body: noBody,
  status: 200,
  response: jobPageSchema,
  errors: [],
});

export const getJobContract = defineContract({
  id: 'getJob',
  method: 'get',
  path: '/jobs/{jobId}',
  summary: 'Read an extraction job',
  access: 'jobs:read',
  readOnly: true,
  parameters: jobParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: jobSchema,
  errors: ['not_found'],
});

export const retryJobContract = defineContract({
  id: 'retryJob',
  method: 'post',
  path: '/jobs/{jobId}/retry',
  summary: 'Run a failed, dead or cancelled extraction job again, in this request',
  access: 'jobs:write',
  readOnly: false,
  parameters: jobParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: jobSchema,
  errors: ['not_found', 'conflict', 'unsupported'],
});

export const cancelJobContract = defineContract({
  id: 'cancelJob',
  method: 'post',
  path: '/jobs/{jobId}/cancel',
  summary: 'Cancel a pending or running extraction job',
  access: 'jobs:write',
  readOnly: false,
  parameters: jobParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: jobSchema,
  errors: ['not_found', 'conflict'],
});
