import * as z from 'zod';
import { cursorSchema } from './cursor.ts';
import { identifierSchema } from './identifier.ts';
import { pageLimitParameter, pageLimitSchema, pageSchema } from './page.ts';
import { timestampSchema } from './timestamp.ts';

/** What an entry of the audit trail may be about. */
export const AUDIT_SUBJECTS = ['thread', 'message', 'memory', 'user', 'agent', 'job'] as const;

/** Entries about what belongs to this user, and since this time; without either, all. */
export const listAuditRequestSchema = z.strictObject({
  userId: identifierSchema.optional(),
  since: timestampSchema.optional(),
  limit: pageLimitSchema.optional(),
  cursor: cursorSchema('audit').optional(),
});
export type ListAuditRequest = z.infer<typeof listAuditRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListAuditOptions = z.input<typeof listAuditRequestSchema>;
/** The same as query parameters. */
export const listAuditQuerySchema = listAuditRequestSchema.extend({ limit: pageLimitParameter.optional() });

/**
 * That something was written or deleted: by whom, in which request, what and whose. It holds no content. `total` counts what
 * `ids` names, and what a removal took along. `requestId` is null for what no request asked for; `callerId` is `job:` and an
 * id for what a job wrote.
 */
export const auditEntrySchema = z
  .object({
    occurredAt: z.string(),
    operation: z.string(),
    callerId: z.string(),
    requestId: z.string().nullable(),
    subject: z.enum(AUDIT_SUBJECTS),
    ids: z.array(z.string()),
    total: z.int(),
    userId: z.string().nullable(),
    agentId: z.string().nullable(),
    threadId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
/** Who wrote or deleted what, and when. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = pageSchema(auditEntrySchema);
export type AuditPage = z.infer<typeof auditPageSchema>;
