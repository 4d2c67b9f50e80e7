import * as z from 'zod';
import { identifierSchema, nullableIdentifierSchema } from './identifier.ts';
import { CONTENT_LIMIT, roleSchema } from './message.ts';
import { nullableMetadataSchema } from './metadata.ts';
import { recordTypeSchema } from './record.ts';
import { checkBatch } from './record-batch-rules.ts';
import { ttlAnchorSchema, ttlDaysSchema, warningSchema } from './retention.ts';
import { nullableEmbeddingSchema, nullableIndexTextSchema } from './retrieval-payload.ts';
import { timestampSchema } from './timestamp.ts';
import { boundedText, isBlank } from './well-formed.ts';

/** Records of one batch and batches of one call, at most. */
export const BATCH_LIMIT = 1_000;
const BATCHES_LIMIT = 100;

/** Text without characters is kept; white space alone is not text (HTTP API contract, Conventions). */
const storedContentSchema = boundedText(0, CONTENT_LIMIT).refine(
  (value) => value === '' || !isBlank(value),
  'must be empty or hold at least one non-space character',
);

/** One value for every record, or a list with one entry a record. */
function oneOrList<One extends z.ZodType, Entry extends z.ZodType>(one: One, entry: Entry) {
  return z.union([one, z.array(entry).max(BATCH_LIMIT)]).optional();
}

const nullableTimestampSchema = timestampSchema.nullable();

/**
 * Records of one type to add (contract §10.2). A null content takes `metadata.content` when that is text. Ids that are
 * null or omitted are made; owners that are null or omitted leave the record unscoped, except that a message takes the
 * omitted ones of its thread.
 */
export const pendingRecordBatchSchema = z
  .strictObject({
    recordType: recordTypeSchema,
    contents: z
      .array(z.union([storedContentSchema, z.null()]))
      .min(1)
      .max(BATCH_LIMIT),
    indexTexts: oneOrList(z.union([boundedText(0, CONTENT_LIMIT), z.null()]), nullableIndexTextSchema),
    embeddings: z.union([z.array(nullableEmbeddingSchema).max(BATCH_LIMIT), z.null()]).optional(),
    recordIds: oneOrList(identifierSchema, nullableIdentifierSchema),
    threadIds: oneOrList(nullableIdentifierSchema, nullableIdentifierSchema),
    userIds: oneOrList(nullableIdentifierSchema, nullableIdentifierSchema),
    agentIds: oneOrList(nullableIdentifierSchema, nullableIdentifierSchema),
    roles: oneOrList(roleSchema, roleSchema),
    timestamps: oneOrList(nullableTimestampSchema, nullableTimestampSchema),
    metadata: oneOrList(nullableMetadataSchema, nullableMetadataSchema),
    ttlDays: oneOrList(ttlDaysSchema, ttlDaysSchema),
    ttlAnchor: oneOrList(ttlAnchorSchema, ttlAnchorSchema),
  })
  .superRefine((batch, context) =>
    checkBatch(batch, (path, message) => context.addIssue({ code: 'custom', path: [...path], message })),
  )
  .meta({ id: 'PendingRecordBatch' });
/** Records of one type to store; a plural field is one value for all, or a list as long as `contents` (contract §10.2). */
export type PendingRecordBatch = z.infer<typeof pendingRecordBatchSchema>;

export const addRecordBatchesRequestSchema = z.strictObject({
  batches: z.array(pendingRecordBatchSchema).min(1).max(BATCHES_LIMIT),
});

/** The ids of the records in the order in which they were given. */
export const addedRecordsSchema = z.object({
  ids: z.array(z.string()),
  warnings: z.array(warningSchema).optional(),
});
export type AddedRecords = z.infer<typeof addedRecordsSchema>;
