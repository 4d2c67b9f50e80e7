import { describe, expect, test } from 'vitest';
import { extract, type ShownMemory } from './rules-prompt.ts';

/** What one message leaves, as `type: content`. */
async function memoriesOf(said: string): Promise<readonly string[]> {
  return (await extract(said)).map(({ type, content }) => `${type}: ${content}`);
}

/** What one message leaves beside a past memory: contents, `✗` behind those that supersede it. */
async function memoriesBeside(known: string, said: string): Promise<readonly string[]> {
  const past: readonly ShownMemory[] = [{ id: 'known', content: known }];
  return (await extract(said, past)).map(({ content, supersedes }) =>
    supersedes.includes('known') ? `${content} ✗` : content,
  );
}

describe('labels and openers hide nothing', () => {
  test.each([
    'Small update: I moved to Porto.',
    'Small update - I moved to Porto.',
    'A quick note: I moved to Porto.',
    'One more thing: I moved to Porto.',
    'By the way, I moved to Porto.',
    'Correction: I moved to Porto.',
    'Actually, FYI, I moved to Porto.',
    'Good news: I moved to Porto!',
    'Things changed: I moved to Porto.',
  ])('%s', async (said) => {
    expect(await memoriesOf(said)).toEqual(['fact: User moved to Porto.']);
  });

  test.each([
    'Translate this: I moved to Porto.',
    'The sign says: I moved to Porto.',
    'My sister wrote: I moved to Porto.',
    'Example: I moved to Porto.',
  ])('what stands before a colon may say that the words are not the user’s: %s', async (said) => {
    expect(await memoriesOf(said)).toEqual([]);
  });
});

describe('clauses are statements of their own', () => {
  test.each([
    ["I'm 34, married, and I live in Kyoto.", ['fact: User is 34, married.', 'fact: User lives in Kyoto.']],
    ['I play the cello, but I will not take it with me.', ['fact: User plays the cello.']],
    ['I live in Porto - please remember that.', ['fact: User lives in Porto.']],
    ['I have two cats, please help.', ['fact: User has two cats.']],
    ['I moved to Porto, I no longer live in Lisbon.', ['fact: User moved to Porto.']],
    ["I don't live in Rome. I live in Milan.", ['fact: User lives in Milan.']],
    ['I lived in Porto, but I no longer live in Porto.', ['fact: User no longer lives in Porto.']],
    ['I no longer live in Lisbon.', ['fact: User no longer lives in Lisbon.']],
  ])('%s', async (said, expected) => {
    expect(await memoriesOf(said)).toEqual(expected);
  });
});

describe('a rule inside a sentence', () => {
  test.each([
    [
      'I start work at 9:30, so never schedule anything before 10 in the morning.',
      ['fact: User starts work at 9:30.', 'guideline: Never schedule anything before 10 in the morning.'],
    ],
    [
      'I have night shifts until the 20th, so please never call me before noon.',
      ['fact: User has night shifts until the 20th.', 'guideline: Never call me before noon.'],
    ],
    [
      "I'm vegan and please always check the menu.",
      ['fact: User is vegan.', 'guideline: Always check the menu.'],
    ],
    [
      'I live in Porto, please answer in Portuguese.',
      ['fact: User lives in Porto.', 'guideline: Answer in Portuguese.'],
    ],
    [
      'Because I work nights, please never call me before noon.',
      ['fact: User works nights.', 'guideline: Never call me before noon.'],
    ],
    [
      'Please never call me before 9, I work nights.',
      ['fact: User works nights.', 'guideline: Never call me before 9.'],
    ],
    [
      'Never use emojis and please always answer in German.',
      ['guideline: Never use emojis.', 'guideline: Always answer in German.'],
    ],
    [
      'The office opens at ten, so never schedule anything before that.',
      ['guideline: Never schedule anything before that.'],
    ],
    [
      'When I ask for code, use TypeScript, and always add tests.',
      ['guideline: When I ask for code, use TypeScript, and always add tests.'],
    ],
    [
      'You can call me any time after nine in the morning.',
      ['guideline: You can call me any time after nine in the morning.'],
    ],
  ])('%s', async (said, expected) => {
    expect(await memoriesOf(said)).toEqual(expected);
  });

  test.each([
    ['I moved to Porto and never looked back.', 'fact: User moved to Porto and never looked back.'],
    ['I work nights and always finish on time.', 'fact: User works nights and always finish on time.'],
    [
      'My parents live in Rome and always call me on Sunday.',
      "fact: User's parents live in Rome and always call them on Sunday.",
    ],
  ])('the subject goes on, no rule: %s', async (said, expected) => {
    expect(await memoriesOf(said)).toEqual([expected]);
  });

  test.each([
    'I have kids so never a dull moment.',
    'Maya said she works nights, so never call her.',
    'Maybe I move, so please always ask.',
    "I'm in a hurry, please answer quickly.",
    'Call me after the meeting.',
    'You can call me after the meeting.',
    'Oh, then window seats on the right, please.',
    'Could you send a daily checklist?',
    'Please book the hotel for 5 May.',
  ])('a request of the moment or a doubt is none: %s', async (said) => {
    expect(await memoriesOf(said)).toEqual([]);
  });
});

describe('corrections', () => {
  test.each([
    [
      'User lives in Lisbon.',
      'Small update: I moved to Porto last weekend, I no longer live in Lisbon.',
      'User moved to Porto last weekend. ✗',
    ],
    [
      'User lives in Rome.',
      "I don't live in Rome but in Milan.",
      'User does not live in Rome but in Milan. ✗',
    ],
    [
      'User lives in Lisbon.',
      'I moved to Porto and never looked back.',
      'User moved to Porto and never looked back. ✗',
    ],
    [
      'User has night shifts until the 20th.',
      'My shifts changed: I no longer have night shifts.',
      'User no longer has night shifts. ✗',
    ],
    [
      'User works as a product designer at Fathom.',
      'I changed my job: I now work as a design lead at Ribeira Studio.',
      'User now works as a design lead at Ribeira Studio. ✗',
    ],
    ['User works as a designer at Fathom.', 'I work at Globex now.', 'User works at Globex now. ✗'],
    ['User works at Fathom.', "I'm now a design lead at Ribeira.", 'User is now a design lead at Ribeira. ✗'],
    ['User prefers tea over coffee.', 'I prefer coffee to tea now.', 'User prefers coffee to tea now. ✗'],
    ['User is vegetarian.', "I'm not vegetarian any more, I'm vegan now.", 'User is vegan now. ✗'],
    [
      'Never call me before noon.',
      'You can call me any time after nine in the morning.',
      'You can call me any time after nine in the morning. ✗',
    ],
    [
      'Never call me before noon.',
      'Never call me from a hidden number.',
      'Never call me from a hidden number.',
    ],
    ['User works as a nurse.', 'I work at Globex.', 'User works at Globex.'],
  ])('%s – %s', async (known, said, expected) => {
    expect(await memoriesBeside(known, said)).toEqual([expected]);
  });

  test.each([
    ['User is allergic to peanuts, so food has to be checked.', "I'm allergic to peanuts."],
    ['User moved to Porto last weekend.', 'I live in Porto because I like it there.'],
    ['User works as a designer at Fathom.', 'I work at Fathom.'],
    ['User prefers tea over coffee.', 'I prefer tea to coffee.'],
    ['User does not drink alcohol.', "I don't drink any alcohol."],
    ['Always give prices in euros.', 'Please always give me prices in euros!'],
    ["User's rent is 1,200 euros.", 'By the way, my rent is 1200 euros'],
  ])('what is known in other words is not repeated: %s – %s', async (known, said) => {
    expect(await memoriesBeside(known, said)).toEqual([]);
  });
});
