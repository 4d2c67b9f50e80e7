import { beforeAll, describe, expect, it } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { isSameStatement } from '../../lib/memory/extraction/same-statement.ts';
import { readStatementWords } from '../../lib/memory/extraction/statement-words.ts';
import type { Embedder } from '../../lib/models/embedder.ts';

/** Wordings of one statement. */
const SAME = [
  ['User lives in Lisbon', 'user  lives in LISBON.'],
  ['User lives in Lisbon', 'The user resides in Lisbon.'],
  ['User lives in Lisbon', "The user's home is in Lisbon"],
  ['User lives in Lisbon', 'Lisbon is where the user lives'],
  ['User lives in Lisbon', 'The user is based in Lisbon'],
  ['User is allergic to peanuts', 'User has a peanut allergy'],
  ['User is allergic to peanuts', 'The user has an allergy to peanuts.'],
  ['User is allergic to peanuts', "I'm allergic to peanuts"],
  ['User likes green tea', 'The user enjoys green tea'],
  ['User likes green tea', 'Likes green tea'],
  ["User's favourite colour is blue", "Blue is the user's favorite colour"],
  ['User has two children', 'The user has 2 kids'],
  ['User works as a nurse', 'User has a job as a nurse'],
  ['User works as a nurse', 'User is a nurse'],
  ['User does not eat meat', "The user doesn't eat meat"],
  ['User has a dog named Rex', 'The user has a dog called Rex'],
  ['Always reply in German', 'Please always respond in German'],
  ['ユーザーは東京に住んでいます', 'ユーザーは東京に住んでいます。'],
] as const;

/** Near neighbours that must both stay. */
const DIFFERENT = [
  ['User is allergic to peanuts', 'User is allergic to walnuts'],
  ['User is allergic to peanuts', "User's son is allergic to peanuts"],
  ['User is allergic to peanuts', 'User is not allergic to peanuts'],
  ['User is allergic to peanuts', 'User is no longer allergic to peanuts'],
  ['User likes green tea', 'User never likes green tea'],
  ['User likes green tea', 'User hates green tea'],
  ['User likes Bob', 'Bob likes the user'],
  ['User lives in Lisbon', 'User lived in Lisbon'],
  ['User lives in Lisbon', 'User lives in Porto'],
  ['User lives in Lisbon', 'User was living in Lisbon'],
  ['User lives in Lisbon', 'Ana lives in Lisbon'],
  ['User flies to Lisbon', 'User flies from Lisbon'],
  ['User prefers tea to coffee', 'User prefers coffee to tea'],
  ['User prefers tea over coffee', 'User prefers coffee over tea'],
  ['User has two children', 'User has three children'],
  ['The budget is 1,500 euros', 'The budget is 15,000 euros'],
  ['The rent is $50', 'The rent is €50'],
  ['The deadline is 2026-03-01', 'The deadline is 2026-03-02'],
  ['The meeting is on Monday at 9:00', 'The meeting is on Monday at 10:00'],
  ['User works at Acme', 'User works at Acme Robotics'],
  ['User works as a nurse', 'User works with a nurse'],
  ['User works with Bob', 'User works for Bob'],
  ['User has a manager', 'User is a manager'],
  ['User likes short answers', 'The assistant likes short answers'],
  ['User lives in Rome', 'They live in Rome'],
  ['User must answer in German', 'You must answer in German'],
  ['The key of this project is 7', 'The key of that project is 7'],
  ['User has a dog', 'User had a dog'],
  ['User likes Ana', 'User likes Anna'],
  ['User weighs 70 kg', 'User weighs 70 lb'],
  ['User visits Rome every week', 'User visits Rome every month'],
  ['Only Ana may see the report', 'Ana may see the report'],
  ['User knows C', 'User knows C#'],
  ['User knows C++', 'User knows C'],
  ['Ana manages Bob', 'Bob manages Ana'],
  ["Ana is Bob's sister", "Bob is Ana's sister"],
  ["Ana's dog is called Rex", "Bob's dog is called Rex"],
  ['User can swim', "User can't swim"],
  ['User will move to Oslo', 'User moved to Oslo'],
  ['Always reply in German', 'Never reply in German'],
  ['User takes the train before work', 'User takes the train after work'],
  ['User has a sister in Rome', 'User has a brother in Rome'],
  ['He likes tea', 'She likes tea'],
  ['ユーザーは東京に住んでいます', 'ユーザーは大阪に住んでいます'],
  ['ユーザーはピーナッツが好きです', 'ユーザーはピーナッツが好きではありません'],
] as const;

let embedder: Embedder;

async function compare(a: string, b: string): Promise<boolean> {
  const [one = null, other = null] = await embedder.embed({ texts: [a, b], purpose: 'document' });
  return isSameStatement(
    { words: readStatementWords(a), embedding: one },
    { words: readStatementWords(b), embedding: other },
  );
}

describe('wordings of one statement (contract §8.4, the local embedder)', () => {
  beforeAll(() => {
    embedder = loadLocalEmbedder();
  });

  it.each(SAME)('"%s" is "%s"', async (a, b) => {
    expect([await compare(a, b), await compare(b, a)]).toEqual([true, true]);
  });

  it.each(DIFFERENT)('"%s" is not "%s"', async (a, b) => {
    expect([await compare(a, b), await compare(b, a)]).toEqual([false, false]);
  });

  it('needs an embedding that agrees with the words', () => {
    const words = readStatementWords('User lives in Lisbon');
    const others = readStatementWords('User resides in Lisbon');
    const [near, far] = [new Float32Array([1, 0]), new Float32Array([0, 1])];
    expect(isSameStatement({ words, embedding: near }, { words: others, embedding: near })).toBe(true);
    expect(isSameStatement({ words, embedding: near }, { words: others, embedding: far })).toBe(false);
    expect(isSameStatement({ words, embedding: null }, { words: others, embedding: null })).toBe(true);
  });
});
