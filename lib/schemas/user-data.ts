import * as z from 'zod';
import { booleanParameter } from './boolean-parameter.ts';
import { memoryExtractionConfigSchema, tokenLimitSchema } from './extraction.ts';
import { identifierSchema, nullableIdentifierSchema } from './identifier.ts';
import { CONTENT_LIMIT, roleSchema } from './message.ts';
import { metadataSchema } from './metadata.ts';
import { memoryTypeSchema, recordStatusSchema } from './record.ts';
import { vectorSchema } from './retrieval-payload.ts';
import { timestampSchema } from './timestamp.ts';
import { boundedText } from './well-formed.ts';

/** Version of the lines below: a change that older programs cannot read has another one. */
export const USER_DATA_VERSION = 1;
/** Lines of one import. */
export const IMPORT_LINE_LIMIT = 20_000;
/** Bytes of one import: those of an answer of an export. */
export const IMPORT_BODY_BYTES = 5 * 1024 * 1024;

/** The name of an operation, of a caller or of a request, as the audit trail keeps it. */
const nameSchema = (length: number) => boundedText(1, length);
/** A place in a thread, which leaves room for as many messages again in what the database counts to. */
const sequenceSchema = z.int().min(0).max(499_999_999_999);
const contentSchema = boundedText(0, CONTENT_LIMIT).nullable();
const recordTypeSchema = z.enum(['message', ...memoryTypeSchema.options, 'user_profile']);

/** The first line: whose data it is, and which model made the vectors. */
const headLineSchema = z.strictObject({
  type: z.literal('export'),
  version: z.literal(USER_DATA_VERSION),
  userId: identifierSchema,
  embedderModel: z.string().max(512).nullable(),
  dimensions: z.int().min(1).max(65_535),
});

/** A thread with its settings. A running summary that is out of date is left out, with what it covered. */
const threadLineSchema = z
  .strictObject({
    type: z.literal('thread'),
    threadId: identifierSchema,
    userId: identifierSchema,
    agentId: identifierSchema,
    metadata: metadataSchema,
    extraction: memoryExtractionConfigSchema.required(),
    contextCardTokenLimit: tokenLimitSchema,
    maxMessageTokenLength: tokenLimitSchema,
    messageShorteningInputTokenLimit: tokenLimitSchema,
    messageCount: sequenceSchema,
    extractedSequence: sequenceSchema,
    runningSummary: boundedText(1, 4_000_000).nullable(),
    summarizedSequence: sequenceSchema,
    summaryExpiresAt: timestampSchema.nullable(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .superRefine(({ messageCount, extractedSequence, summarizedSequence }, context) => {
    for (const [field, value] of Object.entries({ extractedSequence, summarizedSequence })) {
      if (value > messageCount)
        context.addIssue({ code: 'custom', path: [field], message: 'must not be beyond messageCount' });
    }
  });

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A message, a memory or the profile of the user, which has no owners. `sequence` is the place of a message in its thread. */
const recordLineSchema = z
  .strictObject({
    type: z.literal('record'),
    recordType: recordTypeSchema,
    recordId: identifierSchema,
    content: contentSchema,
    metadata: metadataSchema,
    status: recordStatusSchema,
    timestamp: timestampSchema.nullable(),
    expiresAt: timestampSchema.nullable(),
    userId: nullableIdentifierSchema.optional(),
    agentId: nullableIdentifierSchema.optional(),
    threadId: nullableIdentifierSchema.optional(),
    role: roleSchema.optional(),
    sequence: sequenceSchema.optional(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .superRefine(({ recordType, ...line }, context) => {
    const refuse = (fields: object, isWrong: (value: unknown) => boolean, message: string) => {
      for (const [field, value] of Object.entries(fields))
        if (isWrong(value)) context.addIssue({ code: 'custom', path: [field], message });
    };
    const { userId, agentId, threadId, role, sequence, expiresAt } = line;
    if (recordType === 'message') {
      refuse({ threadId, role, sequence }, isAbsent, 'is needed for a message');
      return;
    }
    refuse({ role, sequence }, (value) => !isAbsent(value), 'only messages have this');
    if (recordType !== 'user_profile') return;
    refuse(
      { userId, agentId, threadId, expiresAt },
      (value) => !isAbsent(value),
      'cannot be given for a profile',
    );
    refuse({ status: line.status }, (value) => value !== 'active', 'must be active for a profile');
  });

/** One retrieval text of a record. `embedding`: absent = to be made of the text, null = none. */
const retrievalLineSchema = z.strictObject({
  type: z.literal('retrieval_text'),
  recordType: recordTypeSchema,
  recordId: identifierSchema,
  number: z.int().min(1).max(999_999),
  text: boundedText(0, CONTENT_LIMIT * 2),
  embedding: vectorSchema.nullable().optional(),
});

/** What a memory was from `updatedAt` to `replacedAt`. */
const formLineSchema = z.strictObject({
  type: z.literal('earlier_form'),
  memoryId: identifierSchema,
  content: contentSchema,
  metadata: metadataSchema,
  status: recordStatusSchema,
  timestamp: timestampSchema.nullable(),
  expiresAt: timestampSchema.nullable(),
  updatedAt: timestampSchema,
  replacedAt: timestampSchema,
  operation: nameSchema(64),
  callerId: nameSchema(512),
  requestId: nameSchema(128).nullable(),
});

/** One line of what is stored about a user, but for the last one of an answer. */
export const userDataLineSchema = z.discriminatedUnion('type', [
  headLineSchema,
  threadLineSchema,
  recordLineSchema,
  retrievalLineSchema,
  formLineSchema,
]);
/** One line of an export: the head, or one thing that is stored about the user. */
export type UserDataLine = z.infer<typeof userDataLineSchema>;
export type LineOfType<Type extends UserDataLine['type']> = Extract<UserDataLine, { readonly type: Type }>;

/** The last line of an answer: where the next one begins, null at the end. An import takes no notice of it. */
export const cursorLineSchema = z.strictObject({ nextCursor: z.string().nullable() });

const lineSchema = z.union([userDataLineSchema, cursorLineSchema]);
/** An answer of an export. */
export const exportedLinesSchema = z.object({ lines: z.array(lineSchema) });
export type ExportedLines = z.infer<typeof exportedLinesSchema>;
export type ExportedLine = ExportedLines['lines'][number];

/** A part of an export to import. */
export const importLinesSchema = z.strictObject({ lines: z.array(lineSchema).min(1).max(IMPORT_LINE_LIMIT) });
export type ImportLines = z.infer<typeof importLinesSchema>;
/** How many threads and records were imported. */
export const importedSchema = z.object({ imported: z.int().min(0) });
export type Imported = z.infer<typeof importedSchema>;

/** What an export reads one after the other. */
export const USER_DATA_PARTS = ['threads', 'records', 'retrieval_texts', 'earlier_forms'] as const;
export type UserDataPart = (typeof USER_DATA_PARTS)[number];

/** Where an export goes on: after this place in this part. */
export interface UserDataPosition {
  readonly part: UserDataPart;
  readonly after: number;
  /** Number of a retrieval text within its record, else 0. */
  readonly number: number;
}

export function writeExportCursor({ part, after, number }: UserDataPosition): string {
  const text = btoa(`export:${part}:${after}:${number}`);
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function readExportCursor(cursor: string): UserDataPosition | undefined {
  if (!/^[\w-]{1,100}$/.test(cursor)) return undefined;
  try {
    const [, name, after, number] =
      /^export:(\w+):(\d{1,15}):(\d{1,6})$/.exec(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) ??
      [];
    const part = USER_DATA_PARTS.find((each) => each === name);
    return part && { part, after: Number(after), number: Number(number) };
  } catch {
    return undefined;
  }
}

const exportCursorSchema = z.string().transform((cursor, context) => {
  const position = readExportCursor(cursor);
  if (position !== undefined) return position;
  context.addIssue({ code: 'custom', message: 'is not a cursor of an export' });
  return z.NEVER;
});

/** Vectors too: without them those alone come that no text could be made into again. */
export const exportUserRequestSchema = z.strictObject({
  cursor: exportCursorSchema.optional(),
  vectors: z.boolean().optional(),
});
export type ExportUserRequest = z.infer<typeof exportUserRequestSchema>;
/** The same as query parameters. */
export const exportUserQuerySchema = exportUserRequestSchema.extend({ vectors: booleanParameter.optional() });
/** What an export of a user holds beside what everybody gets. */
export interface ExportUserOptions {
  readonly vectors?: boolean | undefined;
}
