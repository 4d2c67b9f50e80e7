import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { getContextCard } from '../../lib/memory/context-card.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import type { MemoryExtractionConfig } from '../../lib/schemas/extraction.ts';
import type { NewMessage } from '../../lib/schemas/message.ts';
import { createTestContext, extracted } from './test-context.ts';

let tokenizer: Tokenizer;

beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

async function setUp(extraction: MemoryExtractionConfig, thread: object = {}) {
  const fakes = createTestContext({
    script: ({ purpose }) =>
      purpose === 'memory_extraction' ? { memories: [extracted('x')] } : { summary: 'So far.', topics: [] },
    context: { tokenizer },
  });
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a', extraction, ...thread });
  const add = (messages: readonly NewMessage[]) =>
    addMessages(fakes.context, 't', { messages: [...messages] });
  const prompts = () => fakes.llm.calls.map(({ messages }) => messages[1]?.content ?? '');
  return { ...fakes, add, prompts };
}

function idsShown(prompt = ''): readonly string[] {
  const lines = prompt.split('\n');
  const shown = lines.slice(lines.indexOf('<messages>') + 1, lines.indexOf('</messages>'));
  return shown.map((line) => JSON.parse(line).id);
}

function numbered(count: number, first = 1): readonly NewMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    return { id: `m${first + index}`, role, content: `message ${first + index}` };
  });
}

describe('memoryExtractionWindow (contract §8.1)', () => {
  it('of 4 shows exactly the last four, whatever is due', async () => {
    const { add, prompts } = await setUp({ memoryExtractionWindow: 4, enableContextSummary: false });
    await add(numbered(6));
    await add(numbered(1, 7));
    expect(prompts().map(idsShown)).toEqual([
      ['m3', 'm4', 'm5', 'm6'],
      ['m4', 'm5', 'm6', 'm7'],
    ]);
  });

  it('of 4 at frequency 2 shows two new and two earlier ones, as the samples have it', async () => {
    const { add, prompts } = await setUp({
      memoryExtractionWindow: 4,
      memoryExtractionFrequency: 2,
      enableContextSummary: false,
    });
    for (let message = 1; message <= 4; message += 1) await add(numbered(1, message));
    expect(prompts().map(idsShown)).toEqual([
      ['m1', 'm2'],
      ['m1', 'm2', 'm3', 'm4'],
    ]);
  });

  it('counts messages of every role and shows those of the dialogue', async () => {
    const { add, prompts } = await setUp({ memoryExtractionWindow: 3, enableContextSummary: false });
    await add([...numbered(3), { id: 'tool', role: 'tool', content: 'exit 0' }, ...numbered(1, 5)]);
    expect(idsShown(prompts()[0])).toEqual(['m3', 'm5']);
  });

  it('keeps sources within what the pass showed', async () => {
    const { add, store } = await setUp({ memoryExtractionWindow: 2, enableContextSummary: false });
    await add(numbered(5));
    const [memory] = store.records().filter(({ family }) => family === 'memory');
    expect(memory?.record.metadata.$agent_memory).toMatchObject({ sourceMessageIds: ['m4', 'm5'] });
  });
});

describe('token limits hold beside the fixed instructions (contract §8.1, §4.1)', () => {
  const languages = {
    English: 'The quick brown fox jumps over the lazy dog. ',
    JSON: '{"a":[1,2,{"b":"<c>"}],"d":"\\n\\t\\\\"}\n',
    Japanese: '昨日、東京で友達に会いました。',
    emoji: '👩‍👩‍👧‍👦🏳️‍🌈😀',
    spaces: '   \n\n\t  x',
    letters: 'x',
  };

  it.each(Object.entries(languages))('200 tokens with 50 KB of %s', async (_name, text) => {
    const { add, context, prompts } = await setUp({
      memoryExtractionTokenLimit: 200,
      enableContextSummary: true,
    });
    await addMemory(context, { content: text.repeat(50), userId: 'u', agentId: 'a', memoryType: 'fact' });
    const content = text.repeat(Math.ceil(10_000 / Buffer.byteLength(text)));
    const messages = numbered(5).map((message) => ({ ...message, content }));
    expect((await add(messages)).extraction.status).toBe('completed');
    for (const prompt of prompts()) expect(tokenizer.count(prompt)).toBeLessThanOrEqual(200);
    expect(prompts().map(idsShown)).toEqual([['m5'], ['m5']]);
  });

  it.each([[60], [100], [500], [3_000]])(
    '%i tokens over many short messages, nearly used up',
    async (limit) => {
      const { add, prompts } = await setUp({
        memoryExtractionTokenLimit: limit,
        enableContextSummary: false,
      });
      await add(numbered(400));
      const tokens = tokenizer.count(prompts()[0] ?? '');
      expect(tokens).toBeLessThanOrEqual(limit);
      expect(tokens).toBeGreaterThan(limit * 0.6);
    },
  );

  it('contextCardTokenLimit bounds the prompt of a card', async () => {
    const { add, context, prompts } = await setUp({ extractMemories: false }, { contextCardTokenLimit: 200 });
    await add(numbered(60).map((message) => ({ ...message, content: 'word '.repeat(900) })));
    await getContextCard(context, 't', {});
    expect(prompts()).toHaveLength(1);
    expect(tokenizer.count(prompts()[0] ?? '')).toBeLessThanOrEqual(200);
    expect(idsShown(prompts()[0])).toEqual(['m60']);
  });

  it('maxMessageTokenLength cuts each message of that prompt', async () => {
    const { add, context, prompts } = await setUp({ extractMemories: false }, { maxMessageTokenLength: 10 });
    await add(numbered(3).map((message) => ({ ...message, content: 'word '.repeat(900) })));
    await getContextCard(context, 't', {});
    expect(idsShown(prompts()[0])).toEqual(['m1', 'm2', 'm3']);
    const words = prompts()[0]?.match(/word/g)?.length;
    expect(words).toBeLessThanOrEqual(30);
    expect(words).toBeGreaterThan(20);
  });

  it('a contextCardTokenLimit of 0 shows every message that is read', async () => {
    const { add, context, prompts } = await setUp({ extractMemories: false }, { contextCardTokenLimit: 0 });
    await add(numbered(40).map((message) => ({ ...message, content: 'word '.repeat(4_000) })));
    await getContextCard(context, 't', {});
    expect(idsShown(prompts()[0])).toHaveLength(40);
    expect(tokenizer.count(prompts()[0] ?? '')).toBeGreaterThan(100_000);
  });

  it.each([[0], [-1], [-5]])('are off at %i', async (limit) => {
    const { add, prompts } = await setUp({ memoryExtractionTokenLimit: limit, enableContextSummary: false });
    await add(numbered(400));
    expect(idsShown(prompts()[0])).toHaveLength(400);
  });
});

describe('what the model is told (contract §8.4; dates of back-dated conversations)', () => {
  it('the date of each message as ISO-8601, and to keep the language', async () => {
    const { add, llm, prompts } = await setUp({ enableContextSummary: false });
    await add([
      { id: 'm1', role: 'user', content: 'I moved yesterday', timestamp: '2023-05-06T05:08:09.000Z' },
    ]);
    expect(prompts()[0]).toContain('"timestamp":"2023-05-06T05:08:09.000Z"');
    const instructions = llm.calls[0]?.messages[0]?.content;
    expect(instructions).toContain('turn relative times into dates by the message timestamps');
    expect(instructions).toContain('in the language of the message');
  });
});
