import { readFileSync } from 'node:fs';
import * as z from 'zod';

const message = z.object({ role: z.string(), content: z.string(), timestamp: z.string() });
const person = z.object({ userId: z.string(), information: z.string() });

const conversation = z.object({
  agentId: z.string(),
  agentInformation: z.string(),
  people: z.array(person),
  threads: z.array(z.object({ threadId: z.string(), userId: z.string(), days: z.array(z.array(message)) })),
  searches: z.array(z.object({ userId: z.string(), query: z.string() })),
});
export type Conversation = z.infer<typeof conversation>;

/** Two people who plan a journey with their assistant over three weeks: 150 messages, with corrections. */
export function readConversation(): Conversation {
  return conversation.parse(
    JSON.parse(readFileSync(new URL('./conversation.json', import.meta.url), 'utf8')),
  );
}
