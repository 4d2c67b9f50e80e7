import { describe, expect, it } from 'vitest';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

/** Runs one extraction whose model gives these raw answers. */
async function extractFrom(...answers: readonly string[]) {
  const { context, store, llm } = createTestContext({ script: extractionScript(...answers) });
  await createThread(context, { threadId: 't' });
  const { extraction } = await addMessages(context, 't', {
    messages: [{ id: 'm1', role: 'user', content: 'Ana likes tea' }],
  });
  const memories = store.records().filter(({ family }) => family === 'memory');
  return {
    extraction,
    contents: memories.map(({ record }) => record.content),
    bookkeeping: memories.map(({ record }) => record.metadata.$agent_memory),
    types: memories.map(({ record }) => record.recordType),
    calls: llm.calls,
  };
}

const tea = JSON.stringify({ memories: [extracted('Ana likes tea')] });
const item = JSON.stringify(extracted('Ana likes tea'));

describe('answers that are read leniently (contract §8.4; HTTP API contract, Model contract)', () => {
  it.each([
    ['bare JSON', tea],
    ['white space around', `\n\n  ${tea}\n`],
    ['a code fence', `\`\`\`json\n${tea}\n\`\`\``],
    ['a code fence without a language', `\`\`\`\n${tea}\n\`\`\``],
    ['leading prose', `Sure! Here are the memories:\n${tea}`],
    ['prose with braces before', `I used {type, content} as told. ${tea}`],
    ['trailing text', `${tea}\nLet me know if you need more {anything}.`],
    ['a thinking block', `<think>{"memories":[]} would be wrong</think>${tea}`],
    ['a thinking block in capitals', `<THINK>hm</THINK>\n${tea}`],
    ['another thinking block', `<thinking>\nhm\n</thinking>\n\n${tea}`],
    ['a byte order mark', `\uFEFF${tea}`],
    ['extra keys', `{"version":1,"memories":[${item.replace('{', '{"scope":"user",')}],"notes":"x"}`],
    ['an envelope', `{"result":${tea}}`],
    ['trailing commas', `{"memories":[${item.replace(/}$/, ',}')},],}`],
    ['a raw line break in a string', tea.replace('topic', 'to\npic')],
    [
      'an unknown escape',
      tea.replace('"topic"}', '"topic"}').replace('Ana likes', "Ana\\' likes").replace("\\'", ''),
    ],
    ['two objects, the second without the array', `${tea} {"other":1}`],
    ['two objects, the first without the array', `{"status":"ok"}\n${tea}`],
  ])('%s', async (_name, answer) => {
    const { contents, calls, extraction } = await extractFrom(answer);
    expect(contents).toEqual(['Ana likes tea']);
    expect(calls).toHaveLength(1);
    expect(extraction.status).toBe('completed');
  });

  it('keeps tags, back-ticks and braces inside content', async () => {
    const content = 'Ana writes <think>hm</think>, ```js {a: "}"}``` and \\ in notes';
    const { contents } = await extractFrom(`Here:\n${JSON.stringify({ memories: [extracted(content)] })}`);
    expect(contents).toEqual([content]);
  });

  it('mends a bad escape and keeps the rest', async () => {
    const { contents } = await extractFrom('{"memories":[{"type":"fact","content":"Ana\\\'s \\_tea\\_"}]}');
    expect(contents).toEqual(["Ana's _tea_"]);
  });
});

describe('answers that hold no array of memories fail loudly (contract §8.4)', () => {
  const useless = [
    ['nothing', ''],
    ['white space', ' \n '],
    ['null', 'null'],
    ['a number', '42'],
    ['a string', '"memories"'],
    ['an empty array', '[]'],
    ['an array of items', `[${item}]`],
    ['an empty object', '{}'],
    ['memories that are null', '{"memories":null}'],
    ['memories that are an object', '{"memories":{"0":{}}}'],
    ['memories that are text', '{"memories":"none"}'],
    ['prose', 'There is nothing to remember here.'],
    ['a refusal', "I'm sorry, I can't help with that."],
    ['an answer that was cut', tea.slice(0, -10)],
    ['an unclosed thinking block', `<think>maybe ${tea}`],
    ['an error of the server', '{"error":{"message":"overloaded"}}'],
    ['single quotes', "{'memories':[]}"],
    ['braces without end', '{'.repeat(500)],
  ] as const;

  it.each(useless)(
    '%s: one repair attempt, then failed with a reason, never a silent zero',
    async (_name, answer) => {
      const { extraction, calls, contents } = await extractFrom(answer, answer);
      expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'model_failed' } });
      expect(extraction).not.toHaveProperty('memoryIds');
      expect(calls).toHaveLength(2);
      expect(contents).toEqual([]);
    },
  );

  it.each(useless)('%s: a repaired answer counts', async (_name, answer) => {
    const { extraction, calls, contents } = await extractFrom(answer, tea);
    expect(extraction.status).toBe('completed');
    expect(contents).toEqual(['Ana likes tea']);
    expect(calls[1]?.messages.slice(0, 2)).toEqual(calls[0]?.messages);
    expect(calls[1]?.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
  });
});

describe('items that are checked strictly (contract §8.4; HTTP API contract, Model contract)', () => {
  const good = extracted('Ana likes tea');

  it.each([
    ['an unknown type', { ...good, type: 'episode' }],
    ['no type', { ...good, type: undefined }],
    ['a type that is a number', { ...good, type: 1 }],
    ['no content', { ...good, content: undefined }],
    ['content that is null', { ...good, content: null }],
    ['content that is a number', { ...good, content: 7 }],
    ['empty content', { ...good, content: '' }],
    ['white space', { ...good, content: ' \t\n' }],
    ['dots', { ...good, content: '...' }],
    ['a dash', { ...good, content: '-' }],
    ['an ellipsis', { ...good, content: '…' }],
    ['only U+0000', { ...good, content: '\u0000' }],
    ['null', null],
    ['a string', 'Ana likes tea'],
    ['a list', [good]],
  ])('%s is dropped and counted, its neighbours stay', async (_name, bad) => {
    const answer = { memories: [extracted('one'), bad, extracted('two')] };
    const { contents, extraction } = await extractFrom(JSON.stringify(answer));
    expect(contents).toEqual(['one', 'two']);
    expect(extraction.reason).toEqual({
      code: 'unusable_items',
      detail: expect.stringContaining('1 items were dropped'),
    });
  });

  it('keeps all four types (D18)', async () => {
    const types = ['memory', 'fact', 'preference', 'guideline'];
    const memories = types.map((type) => extracted(`a ${type}`, { type }));
    expect((await extractFrom(JSON.stringify({ memories }))).types).toEqual(types);
  });

  it('removes source ids that were not shown, counts them, and falls back to the messages of the pass', async () => {
    const memories = [
      extracted('one', { sourceMessageIds: ['m1', 'm9', 3] }),
      extracted('two', { sourceMessageIds: ['m9'] }),
      extracted('three', { sourceMessageIds: 'm1' }),
      extracted('four', { sourceMessageIds: undefined }),
    ];
    const { bookkeeping, extraction } = await extractFrom(JSON.stringify({ memories }));
    expect(bookkeeping).toMatchObject(Array(4).fill({ sourceMessageIds: ['m1'] }));
    expect(extraction.reason?.detail).toContain('3 unknown ids removed');
  });

  it.each([
    [0, 1],
    [9, 5],
    [2.4, 2],
    ['4', 3],
    [null, 3],
    [undefined, 3],
  ])('importance %s becomes %s', async (importance, expected) => {
    const { bookkeeping } = await extractFrom(JSON.stringify({ memories: [{ ...good, importance }] }));
    expect(bookkeeping).toMatchObject([{ importance: expected }]);
  });

  it('makes entities and topic bounded, clean text', async () => {
    const entities = ['Ana', 'Ana', '', 7, 'x'.repeat(1_000)];
    const memories = [extracted('one', { entities, topic: { a: 1 } })];
    const { bookkeeping } = await extractFrom(JSON.stringify({ memories }));
    expect(bookkeeping).toMatchObject([{ entities: ['Ana', 'x'.repeat(200)], extraction_id: '' }]);
  });

  it('takes out what the database cannot hold', async () => {
    const { contents } = await extractFrom('{"memories":[{"type":"fact","content":"a\\u0000b \\ud800 c"}]}');
    expect(contents).toEqual(['ab \uFFFD c']);
  });
});
