import * as z from 'zod';
import type { LlmPurpose } from '../../lib/models/llm.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';

export interface ShownMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string;
}

export interface ShownMemory {
  readonly id: string;
  readonly content: string;
}

export interface Shown {
  readonly messages: readonly ShownMessage[];
  readonly pastMemories?: readonly ShownMemory[];
  readonly summary?: string;
  readonly tokenBudget?: number;
}

function line(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A prompt in the form that the library renders, and that the offline model reads. */
export function renderPrompt({ messages, pastMemories = [], summary, tokenBudget }: Shown): string {
  const time = '2026-01-02T03:04:05.000Z';
  return [
    'Do the work.',
    '<past_memories>',
    ...pastMemories.map(({ id, content }) => line({ id, type: 'fact', content, timestamp: time })),
    '</past_memories>',
    ...(summary === undefined ? [] : ['<summary>', line(summary), '</summary>']),
    ...(tokenBudget === undefined ? [] : ['<token_budget>', `${tokenBudget}`, '</token_budget>']),
    '<messages>',
    ...messages.map(({ id, role, content }) => line({ id, role, timestamp: time, content })),
    '</messages>',
  ].join('\n');
}

/** The raw JSON that the offline model answers to a prompt. */
export async function askRules(purpose: LlmPurpose, shown: Shown): Promise<unknown> {
  const result = await createRulesLlm().generate({
    purpose,
    messages: [
      { role: 'system', content: 'Answer with JSON.' },
      { role: 'user', content: renderPrompt(shown) },
    ],
    responseJsonSchema: {},
  });
  return JSON.parse(result.text);
}

/** The Model contract of `memory_extraction`. */
const extractionSchema = z.strictObject({
  memories: z.array(
    z.strictObject({
      type: z.enum(['memory', 'fact', 'preference', 'guideline']),
      content: z.string().min(1),
      importance: z.int().min(1).max(5),
      entities: z.array(z.string()),
      topic: z.string().min(1),
      sourceMessageIds: z.array(z.string()).min(1),
      supersedes: z.array(z.string()),
    }),
  ),
});

export type Extracted = z.infer<typeof extractionSchema>['memories'][number];

/** Memories that the offline model extracts from user messages `m1`, `m2`, … beside past memories. */
export async function extract(
  contents: string | readonly string[],
  pastMemories: readonly ShownMemory[] = [],
): Promise<readonly Extracted[]> {
  const messages = [contents]
    .flat()
    .map((content, index) => ({ id: `m${index + 1}`, role: 'user', content }));
  return extractionSchema.parse(await askRules('memory_extraction', { messages, pastMemories })).memories;
}
