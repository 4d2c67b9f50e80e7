import * as z from 'zod';
import { memoryExtractionConfigSchema } from './extraction.ts';
import { identifierSchema } from './identifier.ts';
import { metadataSchema } from './metadata.ts';

const tokenLimitSchema = z.int().min(-1).max(10_000_000);

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
export type CreateThreadRequest = z.infer<typeof createThreadRequestSchema>;

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
export type ThreadObject = z.infer<typeof threadSchema>;
