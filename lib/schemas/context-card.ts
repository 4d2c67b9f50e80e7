import * as z from 'zod';
import { messageSchema } from './message.ts';
import { searchResultSchema } from './search.ts';

const countSchema = z.int().min(0).max(100);

/** Counts of a context card (contract §9.1). An omitted `maxRelevantResults` is max(5, sum of the minimums). */
export const contextCardRequestSchema = z.strictObject({
  fallbackMessageCount: countSchema.optional(),
  maxRelevantResults: countSchema.optional(),
  maxRecentMessages: countSchema.optional(),
  minRelevantResultsByType: z
    .strictObject({
      memory: countSchema.optional(),
      fact: countSchema.optional(),
      guideline: countSchema.optional(),
      preference: countSchema.optional(),
    })
    .optional(),
});
/** How much a context card holds (contract §9.1). */
export type ContextCardRequest = z.infer<typeof contextCardRequestSchema>;

/** Prompt-ready block; `content` and `formattedContent` are the same XML text (contract §9.2). Untrusted: quote it as data. */
export const contextCardSchema = z
  .object({
    content: z.string(),
    formattedContent: z.string(),
    summary: z.string(),
    topics: z.array(z.string()),
    relevantResults: z.array(searchResultSchema),
    recentMessages: z.array(messageSchema),
  })
  .meta({ id: 'ContextCard' });
/** A context card as JSON has it; `ContextCard` is the value. */
export type ContextCardObject = z.infer<typeof contextCardSchema>;

/** `exceptLast` leaves out the newest n messages; `tokenBudget` is soft, ≤ 0 unbounded (contract §4.6). */
export const summaryRequestSchema = z.strictObject({
  exceptLast: z.int().min(0).optional(),
  tokenBudget: z.int().min(-1_000_000_000).max(1_000_000_000).optional(),
});
/** What a summary leaves out, and how long it may be (contract §4.6). */
export type SummaryRequest = z.infer<typeof summaryRequestSchema>;

export const summarySchema = z
  .object({ content: z.string(), formattedContent: z.string() })
  .meta({ id: 'Summary' });
/** A summary as JSON has it; `Summary` is the value. */
export type SummaryObject = z.infer<typeof summarySchema>;
