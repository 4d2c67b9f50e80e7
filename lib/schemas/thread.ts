import * as z from 'zod';
import { cursorSchema } from './cursor.ts';
import { memoryExtractionConfigSchema, tokenLimitSchema } from './extraction.ts';
import { identifierSchema } from './identifier.ts';
import { metadataSchema, nullableMetadataSchema } from './metadata.ts';
import { pageLimitParameter, pageLimitSchema, pageSchema } from './page.ts';

export const threadParametersSchema = z.strictObject({ threadId: identifierSchema });

/** Omitted ids become a UUID each; omitted settings come from the client, then the SDK. */
export const createThreadRequestSchema = z.strictObject({
  threadId: identifierSchema.optional(),
  userId: identifierSchema.optional(),
  agentId: identifierSchema.optional(),
  metadata: metadataSchema.nullable().optional(),
  extraction: memoryExtractionConfigSchema.optional(),
  contextCardTokenLimit: tokenLimitSchema.optional(),
  maxMessageTokenLength: tokenLimitSchema.optional(),
  messageShorteningInputTokenLimit: tokenLimitSchema.optional(),
});
/** Ids, metadata and settings of a new thread; an id that is left out is made (contract §3.2). */
export type CreateThreadRequest = z.infer<typeof createThreadRequestSchema>;

/** An absent field keeps what is stored; `extraction` is merged field by field, `metadata` is replaced whole (contract §3.2). */
export const updateThreadRequestSchema = z.strictObject({
  metadata: nullableMetadataSchema.optional(),
  extraction: memoryExtractionConfigSchema.optional(),
  contextCardTokenLimit: tokenLimitSchema.optional(),
  maxMessageTokenLength: tokenLimitSchema.optional(),
  messageShorteningInputTokenLimit: tokenLimitSchema.optional(),
});
/** What of a thread changes; `extraction` is merged field by field (contract §3.2). */
export type UpdateThreadRequest = z.infer<typeof updateThreadRequestSchema>;

/** Threads of this user and this agent; without either, of all. */
const threadFilter = { userId: identifierSchema.optional(), agentId: identifierSchema.optional() };
export const listThreadsRequestSchema = z.strictObject({
  ...threadFilter,
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('threads').optional(),
});
export type ListThreadsRequest = z.infer<typeof listThreadsRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListThreadsOptions = z.input<typeof listThreadsRequestSchema>;
/** The same as query parameters. */
export const listThreadsQuerySchema = listThreadsRequestSchema.extend({
  limit: pageLimitParameter.optional(),
});

/** One conversation; `extraction` is the resolved configuration. */
export const threadSchema = z
  .object({
    threadId: z.string(),
    userId: z.string(),
    agentId: z.string(),
    metadata: metadataSchema,
    extraction: memoryExtractionConfigSchema.required(),
    contextCardTokenLimit: z.int(),
    maxMessageTokenLength: z.int(),
    messageShorteningInputTokenLimit: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Thread' });
/** A thread as the store has it; `extraction` is the resolved configuration. */
export type ThreadObject = z.infer<typeof threadSchema>;

export const threadPageSchema = pageSchema(threadSchema);
export type ThreadPage = z.infer<typeof threadPageSchema>;
