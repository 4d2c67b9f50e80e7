import * as z from 'zod';
import { cursorSchema } from './cursor.ts';
import { metadataSchema } from './metadata.ts';
import { pageLimitParameter, pageLimitSchema, pageSchema } from './page.ts';
import { memoryTypeSchema, recordStatusSchema } from './record.ts';

export const listHistoryRequestSchema = z.strictObject({
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('history').optional(),
});
export type ListHistoryRequest = z.infer<typeof listHistoryRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListHistoryOptions = z.input<typeof listHistoryRequestSchema>;
/** The same as query parameters. */
export const listHistoryQuerySchema = listHistoryRequestSchema.extend({
  limit: pageLimitParameter.optional(),
});

/** What a memory was from `updatedAt` to `replacedAt`, and who replaced this form, in which operation and request. */
export const memoryFormSchema = z
  .object({
    memoryType: memoryTypeSchema,
    content: z.string().nullable(),
    metadata: metadataSchema,
    timestamp: z.string().nullable(),
    expiresAt: z.string().nullable(),
    status: recordStatusSchema,
    updatedAt: z.string(),
    replacedAt: z.string(),
    operation: z.string(),
    callerId: z.string(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'MemoryForm' });
/** What a memory was before a change, and who made the change. */
export type MemoryForm = z.infer<typeof memoryFormSchema>;

export const memoryFormPageSchema = pageSchema(memoryFormSchema);
export type MemoryFormPage = z.infer<typeof memoryFormPageSchema>;
