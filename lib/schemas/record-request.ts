import * as z from 'zod';
import { booleanParameter } from './boolean-parameter.ts';
import { cursorSchema } from './cursor.ts';
import { identifierSchema, nullableIdentifierSchema } from './identifier.ts';
import { CONTENT_LIMIT, contentSchema } from './message.ts';
import { nullableMetadataSchema } from './metadata.ts';
import { pageLimitSchema } from './page.ts';
import { recordTypeSchema } from './record.ts';
import { ttlAnchorSchema, ttlDaysSchema, warningSchema } from './retention.ts';
import {
  nullableEmbeddingSchema,
  nullableIndexTextSchema,
  vectorFault,
  vectorSchema,
} from './retrieval-payload.ts';
import { searchOptionsSchema } from './search.ts';
import { timestampSchema } from './timestamp.ts';
import { meaningfulText } from './well-formed.ts';

export const recordParametersSchema = z.strictObject({
  recordType: recordTypeSchema,
  recordId: identifierSchema,
});

/**
 * Records of one type in the order in which they were added, whatever their status. Owners compare by equality, null =
 * only records without one; profiles have no owner and ignore them (contract §10.2, D12).
 */
export const listRecordsRequestSchema = z.strictObject({
  recordType: recordTypeSchema,
  threadId: nullableIdentifierSchema.optional(),
  userId: nullableIdentifierSchema.optional(),
  agentId: nullableIdentifierSchema.optional(),
  metadataFilter: nullableMetadataSchema.optional(),
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('records').optional(),
});
export type ListRecordsRequest = z.infer<typeof listRecordsRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListRecordsOptions = z.input<typeof listRecordsRequestSchema>;

/** What `listThreadMessages` takes beside the thread. */
export type ListThreadMessagesOptions = Pick<ListRecordsOptions, 'metadataFilter' | 'limit'>;

/** A search without default scope: a given owner is a preference unless its flag is true (contract §5, §10.2). */
export const searchRecordsRequestSchema = searchOptionsSchema
  .omit({ scope: true, maxResults: true })
  .extend({
    query: meaningfulText(CONTENT_LIMIT).optional(),
    queryVector: vectorSchema.optional(),
    k: z.int().min(1).max(1_000),
  })
  .superRefine(({ query, queryVector }, context) => {
    if ((query === undefined) !== (queryVector === undefined)) return;
    const [path, message] =
      query === undefined
        ? ['query', 'is needed, or queryVector']
        : ['queryVector', 'cannot be combined with query'];
    context.addIssue({ code: 'custom', path: [path], message });
  });
/** A search at the level of the store: by a text or by a vector, unfiltered unless a scope is exact (contract §5). */
export type SearchRecordsRequest = z.infer<typeof searchRecordsRequestSchema>;

/**
 * Changes of a record; an absent field keeps what is stored. A null `content` clears text and retrieval rows, a null
 * `indexText` the rows alone, a null `embedding` the vectors alone (contract §10.3).
 */
export const updateRecordRequestSchema = z
  .strictObject({
    content: contentSchema.nullable().optional(),
    indexText: nullableIndexTextSchema.optional(),
    embedding: nullableEmbeddingSchema.optional(),
    metadata: nullableMetadataSchema.optional(),
    timestamp: timestampSchema.nullable().optional(),
    ttlDays: ttlDaysSchema.optional(),
    ttlAnchor: ttlAnchorSchema.optional(),
  })
  .superRefine((change, context) => {
    const fault = payloadFault(change);
    if (fault !== undefined)
      context.addIssue({ code: 'custom', path: [fault.field], message: fault.message });
  });
/** What of a record changes, its retrieval text and vectors included (contract §10.3). */
export type UpdateRecordRequest = z.infer<typeof updateRecordRequestSchema>;

type Payload = Pick<UpdateRecordRequest, 'content' | 'indexText' | 'embedding'>;

/** The combinations that contract §10.3 rejects. */
function payloadFault({ content, indexText, embedding }: Payload) {
  if (content === null) {
    const field =
      (indexText ?? null) !== null ? 'indexText' : (embedding ?? null) !== null ? 'embedding' : undefined;
    return field === undefined ? undefined : { field, message: 'cannot be given with a null content' };
  }
  if (embedding === undefined || embedding === null) return undefined;
  if (indexText === null) {
    return embedding.length === 0
      ? undefined
      : { field: 'embedding', message: 'cannot be given with a null indexText' };
  }
  const text = indexText ?? content;
  if (text !== undefined) {
    const message = vectorFault(text, embedding);
    return message === undefined ? undefined : { field: 'embedding', message };
  }
  return embedding.length === 0 ? { field: 'embedding', message: 'holds no vector' } : undefined;
}

/** 1, or 0 when there is no such record. */
export const updatedRecordSchema = z.object({
  updated: z.int().min(0).max(1),
  warnings: z.array(warningSchema).optional(),
});
export type UpdatedRecord = z.infer<typeof updatedRecordSchema>;

/** Only profiles can take along what is theirs. */
export const deleteRecordOptionsSchema = z.strictObject({ cascade: z.boolean().optional() });
/** With `cascade` everything of the user or agent goes with the profile. */
export type DeleteRecordOptions = z.infer<typeof deleteRecordOptionsSchema>;
/** The same as query parameters. */
export const deleteRecordQuerySchema = z.strictObject({ cascade: booleanParameter.optional() });
