import * as z from 'zod';
import { metadataSchema } from './metadata.ts';
import { pageSchema } from './page.ts';
import { warningSchema } from './retention.ts';

/** Types of memories, by hand or extracted (D18). */
export const MEMORY_TYPES = ['memory', 'fact', 'preference', 'guideline'] as const;
export const memoryTypeSchema = z.enum(MEMORY_TYPES);
/** Types of durable memories (contract D18). */
export type MemoryType = z.infer<typeof memoryTypeSchema>;

export const RECORD_TYPES = ['message', ...MEMORY_TYPES, 'user_profile', 'agent_profile'] as const;
export const recordTypeSchema = z.enum(RECORD_TYPES);
/** Everything that a store keeps and finds. */
export type RecordType = z.infer<typeof recordTypeSchema>;

/** Whether records of this type are the profile of a user or an agent: unscoped, with the actor's id. */
export function isProfileType(recordType: RecordType): recordType is 'user_profile' | 'agent_profile' {
  return recordType === 'user_profile' || recordType === 'agent_profile';
}

export const recordStatusSchema = z.enum(['active', 'superseded', 'quarantined']);
/** Whether a record counts, was superseded by a newer one, or is set aside. */
export type RecordStatus = z.infer<typeof recordStatusSchema>;

/** Anything the store keeps. Profiles and unscoped records have null ids; `timestamp` is the event time, else the time of the write. */
export const recordSchema = z
  .object({
    id: z.string(),
    recordType: recordTypeSchema,
    content: z.string().nullable(),
    metadata: metadataSchema,
    timestamp: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    expiresAt: z.string().nullable(),
    userId: z.string().nullable(),
    agentId: z.string().nullable(),
    threadId: z.string().nullable(),
    role: z.string().optional(),
    status: recordStatusSchema,
  })
  .meta({ id: 'Record' });
/** One stored record of any type: content, owners, metadata and times. */
export type MemoryRecord = z.infer<typeof recordSchema>;

/** Answer of an operation that added one record. */
export const createdIdSchema = z.object({ id: z.string(), warnings: z.array(warningSchema).optional() });
export type CreatedId = z.infer<typeof createdIdSchema>;

/** Answer of an operation that changed one record. */
export const updatedIdSchema = z.object({ id: z.string(), warnings: z.array(warningSchema).optional() });
export type UpdatedId = z.infer<typeof updatedIdSchema>;

export const recordPageSchema = pageSchema(recordSchema);
export type RecordPage = z.infer<typeof recordPageSchema>;

/** Answer of a delete: how many records it removed; 0 when there was nothing. */
export const deletedSchema = z.object({ deleted: z.int().min(0) });
