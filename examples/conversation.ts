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
  newThread: z.object({ threadId: z.string(), userId: z.string(), messages: z.array(message) }),
});
export type Conversation = z.infer<typeof conversation>;

/**
 * Two people who plan a journey with their assistant over three weeks: 150 messages, with corrections, and the beginning
 * of another conversation.
 */
export function readConversation(): Conversation {
  return conversation.parse(
    JSON.parse(readFileSync(new URL('./conversation.json', import.meta.url), 'utf8')),
  );
}

/** The same under ids of its own: a service that keeps its data can hear it again. */
export function withSuffix(original: Conversation, suffix: string): Conversation {
  const owned = <Owned extends { readonly userId: string }>(value: Owned): Owned => ({
    ...value,
    userId: `${value.userId}${suffix}`,
  });
  const thread = <Thread extends { readonly userId: string; readonly threadId: string }>(value: Thread) =>
    owned({ ...value, threadId: `${value.threadId}${suffix}` });
  return {
    ...original,
    agentId: `${original.agentId}${suffix}`,
    people: original.people.map(owned),
    threads: original.threads.map(thread),
    searches: original.searches.map(owned),
    newThread: thread(original.newThread),
  };
}
