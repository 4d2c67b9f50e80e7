import * as z from 'zod';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { LlmMessage } from '../llm.ts';

const promptMessageSchema = z.object({
  id: z.string(),
  role: z.string(),
  timestamp: z.string().nullish(),
  content: z.string(),
});
const promptMemorySchema = z.object({ id: z.string(), type: z.string().nullish(), content: z.string() });

export type PromptMessage = z.infer<typeof promptMessageSchema>;
export type PromptMemory = z.infer<typeof promptMemorySchema>;

/** What the library's prompts show to a model. */
export interface PromptSections {
  readonly messages: readonly PromptMessage[];
  readonly pastMemories: readonly PromptMemory[];
  /** The running summary so far. */
  readonly summary: string | null;
  /** Tokens that the answer may have, when the prompt says so. */
  readonly tokenBudget: number | null;
}

function unreadable(section: string, cause?: unknown): AgentMemoryError {
  return new AgentMemoryError('model_failed', `The prompt has no readable <${section}> section.`, { cause });
}

function findSection(prompt: string, name: string): string | null {
  const lines = prompt.split('\n').map((line) => line.trim());
  const start = lines.indexOf(`<${name}>`);
  const end = lines.indexOf(`</${name}>`, start + 1);
  if (start >= 0 && end > start) return lines.slice(start + 1, end).join('\n');
  const opening = `<${name}>`;
  const inline = lines.find((line) => line.startsWith(opening) && line.endsWith(`</${name}>`));
  return inline === undefined ? null : inline.slice(opening.length, -opening.length - 1);
}

function parseLines<T>(section: string, name: string, schema: z.ZodType<T>): T[] {
  try {
    return section
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => schema.parse(JSON.parse(line)));
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/**
 * Reads the sections of a prompt out of its user message. Each stands between `<name>` and `</name>`:
 * `messages` and `past_memories` hold one JSON object a line, `summary` one JSON string, `token_budget` a number.
 * The JSON writes `<` as `\u003c`, so content cannot end a section.
 *
 * @throws `model_failed` when there are no messages or a section is not in that form
 */
export function readPromptSections(conversation: readonly LlmMessage[]): PromptSections {
  const prompt = conversation
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const messages = findSection(prompt, 'messages');
  if (messages === null) throw unreadable('messages');
  const summary = findSection(prompt, 'summary')?.trim();
  const budget = Number(findSection(prompt, 'token_budget') ?? Number.NaN);
  return {
    messages: parseLines(messages, 'messages', promptMessageSchema),
    pastMemories: parseLines(findSection(prompt, 'past_memories') ?? '', 'past_memories', promptMemorySchema),
    summary: summary ? (parseLines(summary, 'summary', z.string().nullable())[0] ?? null) : null,
    tokenBudget: Number.isFinite(budget) && budget > 0 ? budget : null,
  };
}
