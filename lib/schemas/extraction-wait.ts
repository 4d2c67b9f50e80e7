import * as z from 'zod';
import { cursorSchema } from './cursor.ts';

/** Seconds that a wait may take when it does not say (contract §4.7). */
export const DEFAULT_WAIT_SECONDS = 300;

/** How long to wait: null for ever, 0 for one look. */
const timeoutSecondsSchema = z.number().min(0).max(86_400).nullable();

export const waitForExtractionRequestSchema = z.strictObject({
  timeoutSeconds: timeoutSecondsSchema.optional(),
  /** From an earlier answer: goes on with that wait instead of beginning another. */
  watermark: cursorSchema('extraction').optional(),
});
export type WaitForExtractionRequest = z.infer<typeof waitForExtractionRequestSchema>;

export const waitForExtractionOptionsSchema = waitForExtractionRequestSchema.pick({ timeoutSeconds: true });
/** How long a wait may take: seconds, null for ever, 300 when left out (contract §4.7). */
export type WaitForExtractionOptions = z.infer<typeof waitForExtractionOptionsSchema>;

/** Jobs of the thread up to the wait's beginning, by how they ended; `failed` counts dead and cancelled ones too. */
const finishedExtractionSchema = z.object({
  status: z.literal('completed'),
  succeeded: z.int(),
  failed: z.int(),
});
/** How many jobs of a wait succeeded, and how many did not. */
export type FinishedExtraction = Omit<z.infer<typeof finishedExtractionSchema>, 'status'>;

/** Jobs that have not ended when the request must, and where the wait goes on. */
const pendingExtractionSchema = z.object({
  status: z.literal('pending'),
  watermark: z.string(),
  pending: z.int(),
});

export const waitForExtractionResponseSchema = z
  .discriminatedUnion('status', [finishedExtractionSchema, pendingExtractionSchema])
  .meta({ id: 'ExtractionWait', type: 'object' });
export type WaitForExtractionResponse = z.infer<typeof waitForExtractionResponseSchema>;
