import * as z from 'zod';
import { identifierSchema } from '../../lib/schemas/identifier.ts';
import { CONTENT_LIMIT } from '../../lib/schemas/message.ts';
import { nullableMetadataSchema } from '../../lib/schemas/metadata.ts';
import { timestampSchema } from '../../lib/schemas/timestamp.ts';
import { boundedText } from '../../lib/schemas/well-formed.ts';

/**
 * The parts of an export of Zep, as its API answers them: version 2 (sessions, `role_type`), 3 (threads) and 4 (a thread has
 * only a UUID). Of a list, the page that holds it is taken too.
 */
const optionalId = identifierSchema.nullish();
const optionalText = z.string().nullish();
const optionalTime = timestampSchema.nullish();
const metadata = nullableMetadataSchema.optional();
const content = boundedText(0, CONTENT_LIMIT).nullish();
const parts = z.array(z.unknown()).nullish();

/** Messages as a list, or as the page that lists them. */
const messageList = z.union([z.array(z.unknown()), z.looseObject({ messages: parts })]).nullish();

/** `role` is the kind of sender, except in version 2, where `role_type` is and `role` is a name. */
export const zepMessageSchema = z.looseObject({
  uuid: optionalId,
  content,
  role: optionalText,
  role_type: optionalText,
  name: optionalText,
  created_at: optionalTime,
  reference_time: optionalTime,
  metadata,
});
export type ZepMessage = z.output<typeof zepMessageSchema>;

export const zepThreadSchema = z.looseObject({
  thread_id: optionalId,
  session_id: optionalId,
  uuid: optionalId,
  user_id: optionalId,
  created_at: optionalTime,
  metadata,
  messages: messageList,
  facts: z.array(boundedText(0, CONTENT_LIMIT)).nullish(),
});
export type ZepThread = z.output<typeof zepThreadSchema>;

/** An edge of a user's graph: a fact about how two things are related. */
export const zepEdgeSchema = z.looseObject({
  uuid: identifierSchema,
  fact: content,
  name: optionalText,
  created_at: optionalTime,
  valid_at: optionalTime,
  invalid_at: optionalTime,
  expired_at: optionalTime,
  attributes: nullableMetadataSchema.optional(),
});

export const zepUserSchema = z.looseObject({
  user_id: optionalId,
  uuid: optionalId,
  email: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  created_at: optionalTime,
  metadata,
  threads: parts,
  sessions: parts,
  edges: parts,
  facts: parts,
});
export type ZepUser = z.output<typeof zepUserSchema>;
