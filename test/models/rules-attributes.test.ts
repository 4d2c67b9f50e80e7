import { describe, expect, test } from 'vitest';
import { extract } from './rules-prompt.ts';

async function contents(said: string): Promise<readonly string[]> {
  return (await extract(said)).map(({ type, content }) => `${type}: ${content}`);
}

describe('amounts, dates and happenings of the user’s own things', () => {
  test.each([
    ['My budget for the whole trip is 4,000 euros.', "User's budget for the whole trip is 4,000 euros."],
    ['My first day is 1 April.', "User's first day is 1 April."],
    ['My passport expires in January 2027.', "User's passport expires in January 2027."],
    ['My contract ends on 30 June.', "User's contract ends on 30 June."],
    ['My knee was operated in February.', "User's knee was operated in February."],
    ["My sister's wedding is on 5 May.", "User's sister's wedding is on 5 May."],
    ['My teacher is called Yuki.', "User's teacher is called Yuki."],
    ["My landlord's name is Rui.", "User's landlord's name is Rui."],
    ['I am 1.94 m tall, so legroom matters to me.', 'User is 1.94 m tall, so legroom matters to them.'],
    ['I weigh 80 kg.', 'User weighs 80 kg.'],
    ['I finish work at six.', 'User finishes work at six.'],
    ['I have classes every Tuesday.', 'User has classes every Tuesday.'],
  ])('%s', async (said, content) => {
    expect(await contents(said)).toEqual([`fact: ${content}`]);
  });

  test.each([
    ['budget for the trip', 'My budget for the trip is now 5,500 euros.'],
    ['budget for the trip', 'Actually, my budget for the trip is 5,500 euros now, because Daniel joins.'],
    ['budget for the trip', 'My budget for the trip was changed to 5,500 euros.'],
    ['budget for the trip', 'I raised my budget for the trip to 5,500 euros.'],
    ['rent', 'My rent went up to 950 euros.'],
  ])('a later %s replaces the earlier one: %s', async (what, said) => {
    const past = [
      { id: 'old', content: `User's ${what} is 850 euros.` },
      { id: 'other', content: "User's budget for food is 100 euros." },
    ];
    expect(await extract(said, past)).toEqual([expect.objectContaining({ supersedes: ['old'] })]);
  });

  test.each([
    "My phone number changed, but you don't need it.",
    "My salary is 3,000 euros, but don't save it.",
    'My password is hunter2.',
    'My PIN is 1234.',
    'My question is about line 5.',
    'My guess is 42.',
    'My order number is 5512.',
    'My code was merged on Monday.',
    'My function is called Foo.',
    'My train leaves at 5 tonight.',
    'My laptop is broken.',
    'My flight is delayed.',
    'My meeting is at 10.',
    'I am 5 minutes late.',
    'I am 2 m away.',
    'I start work at 9 today.',
    'I have training data.',
    'I have questions about shifts.',
    'I have class methods in my code.',
  ])('of the moment, secret, or not to be kept: %s', async (said) => {
    expect(await contents(said)).toEqual([]);
  });
});

describe('plans', () => {
  test.each([
    [
      'I want to plan a trip to Japan in October with my partner Daniel.',
      'User wants to plan a trip to Japan in October with their partner Daniel.',
    ],
    ['I want to take the cooking course on the 14th.', 'User wants to take the cooking course on the 14th.'],
    ['I want to learn how to make vegan dashi.', 'User wants to learn how to make vegan dashi.'],
    ["I'd love to visit Iceland.", 'User would love to visit Iceland.'],
    ['I would like to move to Spain next year.', 'User would like to move to Spain next year.'],
  ])('%s', async (said, content) => {
    expect(await contents(said)).toEqual([`fact: ${content}`]);
  });

  test.each([
    'I want to read the docs.',
    'I want to run the tests.',
    'I want to get my money back.',
    'I want to start over.',
    'I want to stop here.',
    'I want to get a coffee.',
    'I want to open the settings page.',
    "I'd like to see the logs.",
    "I'd love to get the report.",
    "I'd love to hear more.",
    'If I had more holidays, I would add Hokkaido.',
  ])('work in hand or a wish is none: %s', async (said) => {
    expect(await contents(said)).toEqual([]);
  });
});
