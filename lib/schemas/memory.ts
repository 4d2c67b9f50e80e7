import * as z from 'zod';
import { cursorSchema } from './cursor.ts';
import { identifierSchema, nullableIdentifierSchema } from './identifier.ts';
import { contentSchema } from './message.ts';
import { metadataSchema, nullableMetadataSchema } from './metadata.ts';
import { pageLimitParameter, pageLimitSchema } from './page.ts';
import { memoryTypeSchema, recordStatusSchema } from './record.ts';
import { ttlAnchorSchema, ttlDaysSchema } from './retention.ts';
import { timestampSchema } from './timestamp.ts';

export const memoryParametersSchema = z.strictObject({ memoryId: identifierSchema });
export const threadMemoryParametersSchema = z.strictObject({
  threadId: identifierSchema,
  memoryId: identifierSchema,
});

/**
 * A memory by hand. At thread level omitted ids are the thread's; at client level they leave the memory unscoped in
 * that dimension. `null` is explicitly unscoped (contract §3.2, §4.3).
 */
export const addMemoryOptionsSchema = z.strictObject({
  memoryType: memoryTypeSchema.optional(),
  userId: nullableIdentifierSchema.optional(),
  agentId: nullableIdentifierSchema.optional(),
  threadId: nullableIdentifierSchema.optional(),
  memoryId: identifierSchema.optional(),
  metadata: metadataSchema.nullable().optional(),
  timestamp: timestampSchema.nullable().optional(),
  ttlDays: ttlDaysSchema.optional(),
  ttlAnchor: ttlAnchorSchema.optional(),
});
/** Type, owners, id, metadata, time and expiry of a new memory. */
export type AddMemoryOptions = z.infer<typeof addMemoryOptionsSchema>;

export const addMemoryRequestSchema = addMemoryOptionsSchema.extend({ content: contentSchema });
export type AddMemoryRequest = z.infer<typeof addMemoryRequestSchema>;

/**
 * Changes of a memory; an absent field keeps what is stored. `metadata` is replaced whole and `null` clears it;
 * `timestamp` `null` removes the event time, then the time of creation is shown. Without `ttlDays` and `ttlAnchor` the
 * expiry stays (contract §4.5).
 */
export const updateMemoryRequestSchema = z.strictObject({
  content: contentSchema.optional(),
  metadata: nullableMetadataSchema.optional(),
  timestamp: timestampSchema.nullable().optional(),
  ttlDays: ttlDaysSchema.optional(),
  ttlAnchor: ttlAnchorSchema.optional(),
});
/** What of a memory changes; a field that is left out stays (contract §4.5). */
export type UpdateMemoryRequest = z.infer<typeof updateMemoryRequestSchema>;

/** Memories that match every given field; without `status` only active ones. */
export const listMemoriesRequestSchema = z.strictObject({
  userId: identifierSchema.optional(),
  agentId: identifierSchema.optional(),
  threadId: identifierSchema.optional(),
  memoryType: memoryTypeSchema.optional(),
  status: recordStatusSchema.optional(),
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('memories').optional(),
});
export type ListMemoriesRequest = z.infer<typeof listMemoriesRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListMemoriesOptions = z.input<typeof listMemoriesRequestSchema>;
/** The same as query parameters. */
export const listMemoriesQuerySchema = listMemoriesRequestSchema.extend({
  limit: pageLimitParameter.optional(),
});
