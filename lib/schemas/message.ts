import * as z from 'zod';
import { extractionSchema } from './extraction.ts';
import { identifierSchema } from './identifier.ts';
import { metadataSchema, nullableMetadataSchema } from './metadata.ts';
import { ttlAnchorSchema, ttlDaysSchema, warningSchema } from './retention.ts';
import { timestampSchema } from './timestamp.ts';
import { boundedText, meaningfulText } from './well-formed.ts';

/** Largest content of one message or memory, in characters. */
export const CONTENT_LIMIT = 400_000;
export const contentSchema = meaningfulText(CONTENT_LIMIT);

/** Free text of 1–30 characters (D8); `user` and `assistant` are conventions. */
export const roleSchema = boundedText(1, 30).refine(
  (value) => !/\p{Cc}/u.test(value),
  'must not contain control characters',
);

export const newMessageSchema = z.strictObject({
  id: identifierSchema.optional(),
  role: roleSchema,
  content: contentSchema,
  timestamp: timestampSchema.optional(),
  metadata: nullableMetadataSchema.optional(),
});
/** A message to store; without an id it gets one. */
export type NewMessage = z.infer<typeof newMessageSchema>;

/** Options of `addMessages`: a single value holds for all messages, a list aligns one to one (contract §4.3). */
export const addMessagesOptionsSchema = z.strictObject({
  metadata: z.union([metadataSchema, z.array(nullableMetadataSchema)]).optional(),
  ttlDays: z.union([ttlDaysSchema, z.array(ttlDaysSchema)]).optional(),
  ttlAnchor: z.union([ttlAnchorSchema, z.array(ttlAnchorSchema)]).optional(),
});
/** Metadata and expiry of a batch: one value for all messages, or one for each. */
export type AddMessagesOptions = z.infer<typeof addMessagesOptionsSchema>;

export const addMessagesRequestSchema = addMessagesOptionsSchema.extend({
  messages: z.array(newMessageSchema).min(1).max(500),
});
export type AddMessagesRequest = z.infer<typeof addMessagesRequestSchema>;

export const addMessagesResponseSchema = z.object({
  ids: z.array(z.string()),
  extraction: extractionSchema,
  warnings: z.array(warningSchema).optional(),
});
/** Ids of the stored messages in their order, and what became of the extraction. */
export type AddMessagesResponse = z.infer<typeof addMessagesResponseSchema>;

/** Role and timestamp never change. An absent field keeps what is stored, null metadata clears it (contract §4.5). */
export const updateMessageRequestSchema = z.strictObject({
  content: contentSchema.optional(),
  metadata: nullableMetadataSchema.optional(),
  ttlDays: ttlDaysSchema.optional(),
  ttlAnchor: ttlAnchorSchema.optional(),
});
/** What of a message changes; role and timestamp never do (contract §4.5). */
export type UpdateMessageRequest = z.infer<typeof updateMessageRequestSchema>;

export const updateMessageResponseSchema = z.object({
  id: z.string(),
  extraction: extractionSchema,
  warnings: z.array(warningSchema).optional(),
});
/** The id of the message, and what became of the extraction. */
export type UpdateMessageResponse = z.infer<typeof updateMessageResponseSchema>;

export const messageParametersSchema = z.strictObject({
  threadId: identifierSchema,
  messageId: identifierSchema,
});

export const messageSchema = z
  .object({
    id: z.string(),
    role: z.string(),
    content: z.string(),
    timestamp: z.string(),
    metadata: metadataSchema,
  })
  .meta({ id: 'Message' });
/** One stored message. */
export type Message = z.infer<typeof messageSchema>;

/**
 * A window of messages: indexes count visible messages from 0, `end` is exclusive, −1 or null = to the end
 * (contract §4.6).
 */
export const messageWindowSchema = z.strictObject({
  start: z.int().min(0).optional(),
  end: z
    .int()
    .min(-1)
    .nullable()
    .transform((end) => end ?? -1)
    .optional(),
});
/** Which messages are read: `start` counts from 0, `end` is exclusive, −1 or null is the end (contract §4.6). */
export type MessageWindow = z.input<typeof messageWindowSchema>;

/** `nextStart` is where to go on when the answer's size limit cut the window; null when complete. */
export const messagesResponseSchema = z.object({
  messages: z.array(messageSchema),
  nextStart: z.int().nullable(),
});
export type MessagesResponse = z.infer<typeof messagesResponseSchema>;
