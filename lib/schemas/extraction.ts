import * as z from 'zod';
import { boundedText } from './well-formed.ts';

/** −1 or a positive number of messages. */
const messageCountSchema = z
  .int()
  .max(1_000_000)
  .refine((value) => value === -1 || value >= 1, 'must be -1 or at least 1')
  .meta({ anyOf: [{ const: -1 }, { minimum: 1 }] });

/** Tokens of a prompt or a message; 0 or less is unbounded (contract §4.1, §8.1). */
export const tokenLimitSchema = z.int().min(-10_000_000).max(10_000_000);

/** How a thread turns messages into memories (contract §8.1). Omitted fields inherit: thread → client → SDK. */
export const memoryExtractionConfigSchema = z
  .strictObject({
    extractMemories: z.boolean().optional(),
    extractionMode: z.enum(['inline', 'background']).optional(),
    memoryExtractionFrequency: messageCountSchema.optional(),
    memoryExtractionWindow: messageCountSchema.optional(),
    memoryExtractionTokenLimit: tokenLimitSchema.optional(),
    enableContextSummary: z.boolean().optional(),
    contextSummaryUpdateFrequency: messageCountSchema.optional(),
    memoryExtractionCustomInstructions: z.union([boundedText(1, 20_000), z.null()]).optional(),
    memoryExtractionInheritMessageMetadata: z
      .union([z.boolean(), z.array(boundedText(1, 512)).max(100)])
      .optional(),
    backgroundExtractionQueueFullBehavior: z.enum(['drop', 'wait_then_drop', 'wait_then_raise']).optional(),
    backgroundExtractionQueuePutTimeoutSeconds: z.number().min(0).max(600).optional(),
  })
  .meta({ id: 'MemoryExtractionConfig' });
/** How a thread turns messages into memories; what is left out inherits (contract §8.1). */
export type MemoryExtractionConfig = z.infer<typeof memoryExtractionConfigSchema>;
/** Every field with its value: what a thread stores and shows. */
export type ResolvedExtractionConfig = Required<MemoryExtractionConfig>;

/** What became of the extraction that a write called for. Stored messages answer 201 also when it failed. */
export const extractionSchema = z
  .object({
    status: z.enum(['none', 'completed', 'queued', 'dropped', 'failed']),
    jobId: z.string().nullable(),
    memoryIds: z.array(z.string()).optional(),
    reason: z.object({ code: z.string(), detail: z.string() }).optional(),
  })
  .meta({ id: 'Extraction' });
/** What became of the extraction that a write called for. */
export type Extraction = z.infer<typeof extractionSchema>;
