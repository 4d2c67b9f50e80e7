import * as z from 'zod';
import { AgentMemoryError } from '../errors/agent-memory-error.ts';

/** What a queue message holds; keys of a later version are ignored. */
const messageSchema = z.object({ jobId: z.string().min(1).max(128) });

/** The message that wakes a consumer of this job. */
export type WakeUpMessage = z.infer<typeof messageSchema>;

/** The text of a message in ASCII alone: Amazon SQS does not take every character. */
export function writeWakeUpMessage(message: WakeUpMessage): string {
  return JSON.stringify(message).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Reads a message as a queue delivers it: JSON text from Amazon SQS, the value itself from Cloudflare Queues.
 *
 * @throws AgentMemoryError `invalid_request` without repeating what was received
 */
export function readWakeUpMessage(body: unknown): WakeUpMessage {
  const parsed = messageSchema.safeParse(typeof body === 'string' ? parseJson(body) : body);
  if (parsed.success) return parsed.data;
  throw new AgentMemoryError('invalid_request', 'the queue message names no extraction job');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
