import { expect, test } from 'vitest';
import { readConversation } from '../../examples/conversation.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createTestContext } from '../memory/test-context.ts';

/** By person, in order; `✗` marks what a later memory supersedes. */
const MEMORIES: Readonly<Record<string, readonly string[]>> = {
  maya: [
    'fact: User is Maya.',
    '✗ fact: User lives in Lisbon.',
    '✗ fact: User works as a product designer at Fathom.',
    'fact: User wants to plan a trip to Japan in October with their partner Daniel.',
    'fact: User is allergic to peanuts, so food has to be checked.',
    'guideline: Always mention allergens when you suggest a restaurant.',
    'preference: User prefers trains over planes whenever the trip takes less than six hours.',
    "✗ fact: User's budget for the whole trip is 4,000 euros.",
    "preference: User's favourite food is ramen, but without anything fried.",
    'fact: User starts work at 9:30.',
    'guideline: Never schedule anything before 10 in the morning.',
    "fact: User's sister is called Inês and she has a flat in Osaka.",
    'preference: ユーザーは抹茶が大好きです。',
    'fact: 京都で抹茶の店に行きたいです。',
    'fact: User moved to Porto last weekend.',
    'fact: User is learning Japanese with a teacher every Tuesday evening.',
    'preference: User likes small family-run inns more than big hotels.',
    "fact: User's budget for the whole trip is 5,500 euros now, because Daniel joins the cooking course.",
    'guideline: Keep your answers short from now on.',
    'preference: User prefers window seats on the right side, because of Mount Fuji.',
    'fact: User has a frequent flyer card with Star Alliance.',
    'preference: User does not like overnight flights.',
    "fact: User's passport expires in January 2027.",
    'fact: User speaks Portuguese, English and a little German.',
    'fact: User bought a Fujifilm camera for the trip.',
    'fact: User now works as a design lead at Ribeira Studio.',
    "fact: User's first day is 1 April.",
    'fact: User usually runs five kilometres in the morning.',
    'guideline: Never book hotels without a fitness room or a running path nearby.',
  ],
  daniel: [
    'fact: User is Daniel.',
    '✗ fact: User is vegetarian.',
    'fact: User does not drink alcohol.',
    'fact: User lives in Porto.',
    'fact: User works as a nurse at the São João hospital.',
    '✗ fact: User has night shifts until the 20th.',
    '✗ guideline: Never call me before noon.',
    'preference: User prefers aisle seats because of their knee.',
    "fact: User's birthday is on 14 October.",
    'preference: User loves old temples.',
    'preference: User hates crowds, so early mornings would be best for sightseeing.',
    'fact: User wants to take the cooking course on the 14th.',
    'fact: User is vegan now.',
    'fact: User uses a blue Rimowa suitcase, in case it gets lost.',
    'guideline: Always book places that can be cancelled free of charge.',
    'fact: User is 1.94 m tall, so legroom matters to them.',
    'fact: User takes medication for their blood pressure every morning.',
    "fact: User's mother's name is Teresa and she will look after their cat.",
    "fact: User's cat is called Bolota.",
    'preference: User would rather pay by card than with cash.',
    'fact: User plays the cello.',
    'preference: User loves trains, so the railway museum sounds perfect.',
    "fact: User's knee was operated in February, so no long stairs.",
    'fact: User no longer has night shifts.',
    'guideline: You can call me any time after nine in the morning.',
    'fact: User wants to learn how to make vegan dashi.',
    'preference: User prefers tea over coffee.',
    'guideline: Always give prices in euros.',
  ],
};

/** What a person's thread leaves, written day by day through the library over the in-memory store. */
async function memoriesOf(userId: string): Promise<readonly string[]> {
  const { memory } = createTestContext({ context: { llm: createRulesLlm() } });
  const { agentId, threads } = readConversation();
  const written: string[] = [];
  for (const { threadId, days } of threads.filter((thread) => thread.userId === userId)) {
    const thread = await memory.createThread({ threadId, userId, agentId });
    for (const messages of days) {
      const { extraction } = await thread.addMessages(messages);
      expect(extraction.status).toBe('completed');
      written.push(...(extraction.memoryIds ?? []));
    }
  }
  const records = await Promise.all(written.map((id) => memory.getMemory(id)));
  return records.map(
    ({ recordType, content, status }) => `${status === 'superseded' ? '✗ ' : ''}${recordType}: ${content}`,
  );
}

test.each(Object.entries(MEMORIES))('the demo conversation leaves of %s', async (userId, expected) => {
  expect(await memoriesOf(userId)).toEqual(expected);
});
