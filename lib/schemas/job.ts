import * as z from 'zod';
import { cursorSchema } from './cursor.ts';
import { identifierSchema } from './identifier.ts';
import { pageLimitParameter, pageLimitSchema, pageSchema } from './page.ts';

/** States of an extraction job; the last four have ended. */
export const JOB_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'dead', 'cancelled'] as const;
export const jobStatusSchema = z.enum(JOB_STATUSES);
/** States of an extraction job; a dead one has used up its attempts. */
export type JobStatus = z.infer<typeof jobStatusSchema>;

export const jobParametersSchema = z.strictObject({ jobId: identifierSchema });

/** Jobs of this thread and in this state; without either, all. */
const jobFilter = { threadId: identifierSchema.optional(), status: jobStatusSchema.optional() };
export const listJobsRequestSchema = z.strictObject({
  ...jobFilter,
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('jobs').optional(),
});
export type ListJobsRequest = z.infer<typeof listJobsRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListJobsOptions = z.input<typeof listJobsRequestSchema>;
/** The same as query parameters. */
export const listJobsQuerySchema = listJobsRequestSchema.extend({ limit: pageLimitParameter.optional() });

/** One extraction job: the messages it covers, what became of it and what it cost. Token counts are null when unknown. */
export const jobSchema = z
  .object({
    jobId: z.string(),
    threadId: z.string(),
    status: jobStatusSchema,
    attempt: z.int(),
    maxAttempts: z.int(),
    nextAttemptAt: z.string().nullable(),
    reason: z.object({ code: z.string(), detail: z.string() }).nullable(),
    messageIds: z.array(z.string()),
    memoryIds: z.array(z.string()),
    llmCalls: z.int(),
    promptTokens: z.int().nullable(),
    completionTokens: z.int().nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'Job' });
/** One extraction job: its state, attempts, messages, memories and cost. */
export type Job = z.infer<typeof jobSchema>;

export const jobPageSchema = pageSchema(jobSchema);
export type JobPage = z.infer<typeof jobPageSchema>;

/** How many jobs of a thread are in each state, and the latest of them, newest first. */
export const threadExtractionSchema = z
  .object({
    pending: z.int(),
    running: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    dead: z.int(),
    cancelled: z.int(),
    jobs: z.array(jobSchema),
  })
  .meta({ id: 'ThreadExtraction' });
/** The jobs of a thread by state, and the latest of them. */
export type ThreadExtraction = z.infer<typeof threadExtractionSchema>;
