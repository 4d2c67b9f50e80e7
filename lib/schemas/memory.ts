import * as z from 'zod';
import { identifierSchema, nullableIdentifierSchema } from './identifier.ts';
import { contentSchema } from './message.ts';
import { metadataSchema } from './metadata.ts';
import { memoryTypeSchema } from './record.ts';
import { ttlAnchorSchema, ttlDaysSchema } from './retention.ts';
import { timestampSchema } from './timestamp.ts';

export const memoryParametersSchema = z.strictObject({ memoryId: identifierSchema });

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
export type AddMemoryOptions = z.infer<typeof addMemoryOptionsSchema>;

export const addMemoryRequestSchema = addMemoryOptionsSchema.extend({ content: contentSchema });
export type AddMemoryRequest = z.infer<typeof addMemoryRequestSchema>;
