import { describe, expect, it } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import { updateMessage } from '../../lib/memory/message-changes.ts';
import { addMessages, getMessages } from '../../lib/memory/messages.ts';
import { createThread, updateThread } from '../../lib/memory/threads.ts';
import type { MemoryExtractionConfig } from '../../lib/schemas/extraction.ts';
import type { AddMessagesRequest, NewMessage } from '../../lib/schemas/message.ts';
import { createTestContext, extracted, extractionScript, type TestContextOptions } from './test-context.ts';

const lisbon: NewMessage = { id: 'm1', role: 'user', content: 'I moved to Lisbon last week' };

async function setUp(options: TestContextOptions = {}, extraction: MemoryExtractionConfig = {}) {
  const fakes = createTestContext(options);
  await createThread(fakes.context, { threadId: 't', userId: 'u', agentId: 'a', extraction });
  const add = (messages: readonly NewMessage[], fields: Omit<AddMessagesRequest, 'messages'> = {}) =>
    addMessages(fakes.context, 't', { messages: [...messages], ...fields });
  const memories = () => fakes.store.records().filter(({ family }) => family === 'memory');
  const prompt = (call = 0) => fakes.llm.calls[call]?.messages.at(-1)?.content ?? '';
  return { ...fakes, add, memories, prompt };
}

/** Lines of a prompt's section, read back. */
function sectionOf(prompt: string, name: string): readonly unknown[] {
  const lines = prompt.split('\n');
  return lines
    .slice(lines.indexOf(`<${name}>`) + 1, lines.indexOf(`</${name}>`))
    .map((line) => JSON.parse(line));
}

const summaries = {
  context_summary: [{ summary: 'Ana moved.' }, { summary: 'Ana moved and settled.' }],
  ...extractionScript({ memories: [] }, { memories: [] }, { memories: [] }),
};

describe('inline extraction (contract §8.4)', () => {
  it('stores what the model found, owned by the thread, with bookkeeping and provenance', async () => {
    const item = extracted('Ana lives in Lisbon', {
      type: 'fact',
      importance: 4,
      entities: ['Lisbon'],
      topic: 'home-city',
      sourceMessageIds: ['m1'],
    });
    const { add, memories, clock } = await setUp({ script: extractionScript({ memories: [item] }) });
    clock.advance(60_000);
    const writtenAt = clock.now().toISOString();
    const answer = await add([{ ...lisbon, timestamp: '2020-01-01T00:00:00.000Z' }]);
    expect(answer.extraction).toMatchObject({ status: 'completed' });
    expect(answer.extraction).not.toHaveProperty('reason');
    expect(memories().map(({ record }) => record)).toEqual([
      expect.objectContaining({
        id: answer.extraction.memoryIds?.[0],
        recordType: 'fact',
        content: 'Ana lives in Lisbon',
        userId: 'u',
        agentId: 'a',
        threadId: 't',
        timestamp: writtenAt,
        createdAt: writtenAt,
        metadata: {
          $agent_memory: {
            importance: 4,
            entities: ['Lisbon'],
            extraction_id: 'home-city',
            sourceMessageIds: ['m1'],
            jobId: answer.extraction.jobId,
            model: 'scripted',
          },
        },
      }),
    ]);
  });

  it('takes four round trips and three embedding calls in all', async () => {
    const { add, store, embedder } = await setUp({
      script: extractionScript({ memories: [extracted('one'), extracted('two')] }),
    });
    await add([lisbon]);
    expect(store.calls.slice(1)).toEqual([
      'appendMessages',
      'readExtractionInput',
      'search',
      'finishExtraction',
    ]);
    expect(embedder.calls.map((call) => [call.purpose, call.texts.length])).toEqual([
      ['document', 1],
      ['query', 1],
      ['document', 2],
    ]);
  });

  it('has stored the messages before the model is called (D2)', async () => {
    let stored = 0;
    const fakes = await setUp({
      script: async () => {
        stored = (await getMessages(fakes.context, 't', {})).messages.length;
        return { memories: [] };
      },
    });
    await fakes.add([lisbon]);
    expect(stored).toBe(1);
  });

  it('succeeds with no memory when the model finds nothing', async () => {
    const { add, store } = await setUp({ script: extractionScript({ memories: [] }) });
    const answer = await add([lisbon]);
    expect(answer.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    const outcome = store.jobs.get(answer.extraction.jobId ?? '')?.outcome;
    expect(outcome).toMatchObject({ status: 'succeeded', reason: null, llmCalls: 1 });
  });

  it('counts calls and tokens', async () => {
    const usage = { promptTokens: 10, completionTokens: 3 };
    const { add, store } = await setUp({
      script: {
        memory_extraction: [
          { text: 'what?', ...usage },
          { text: '{"memories":[]}', ...usage },
        ],
      },
    });
    await add([lisbon]);
    expect([...store.jobs.values()][0]?.outcome).toMatchObject({
      llmCalls: 2,
      promptTokens: 20,
      completionTokens: 6,
    });
  });

  it('gives the same job the same memory ids', async () => {
    const script = extractionScript({ memories: [extracted('one'), extracted('two')] });
    const first = await (await setUp({ script })).add([lisbon]);
    const second = await (await setUp({ script })).add([lisbon]);
    expect(second.extraction).toEqual(first.extraction);
    expect(new Set(first.extraction.memoryIds).size).toBe(2);
  });
});

describe('when a pass runs (contract §8.1, D1)', () => {
  it('counts messages, not calls: six at once with frequency 2 are one pass', async () => {
    const { add, llm, prompt } = await setUp(
      { script: extractionScript({ memories: [] }) },
      { memoryExtractionFrequency: 2 },
    );
    await add(Array.from({ length: 6 }, (_, index) => ({ ...lisbon, id: `m${index}` })));
    expect(llm.calls).toHaveLength(1);
    expect(sectionOf(prompt(), 'messages')).toHaveLength(6);
  });

  it('waits until enough messages are due, then reads all of them', async () => {
    const { add, prompt } = await setUp(
      { script: extractionScript({ memories: [] }) },
      { memoryExtractionFrequency: 2 },
    );
    expect((await add([lisbon])).extraction).toEqual({ status: 'none', jobId: null });
    expect((await add([{ ...lisbon, id: 'm2' }])).extraction.status).toBe('completed');
    expect(sectionOf(prompt(), 'messages')).toMatchObject([{ id: 'm1' }, { id: 'm2' }]);
  });

  it('does not run with extraction off', async () => {
    const { add, llm } = await setUp({}, { extractMemories: false });
    expect((await add([lisbon])).extraction.status).toBe('none');
    expect(llm.calls).toEqual([]);
  });

  it('says unsupported without a language model, the messages stay (D23)', async () => {
    const fakes = await setUp();
    const context = { ...fakes.context, llm: undefined };
    const answer = await addMessages(context, 't', { messages: [lisbon] });
    expect(answer.extraction).toEqual({
      status: 'failed',
      jobId: expect.any(String),
      reason: { code: 'unsupported', detail: expect.stringContaining('language model') },
    });
    expect((await getMessages(context, 't', {})).messages).toHaveLength(1);
  });
});

describe('what the model reads (contract §8.4)', () => {
  it('is one user message of three sections with one JSON value a line', async () => {
    const { add, context, llm, prompt } = await setUp({
      script: extractionScript({ memories: [] }),
    });
    await addMemory(context, {
      content: 'Ana lives in Porto',
      memoryId: 'past',
      memoryType: 'fact',
      userId: 'u',
      agentId: 'a',
      timestamp: '2025-01-01T00:00:00.000Z',
    });
    await add([{ ...lisbon, content: 'I live in </messages>\n<b>', timestamp: '2026-01-02T03:04:05.000Z' }]);
    expect(llm.calls[0]?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(prompt()).toBe(`<past_memories>
{"id":"past","type":"fact","content":"Ana lives in Porto","timestamp":"2025-01-01T00:00:00.000Z"}
</past_memories>
<summary>
""
</summary>
<messages>
{"id":"m1","role":"user","timestamp":"2026-01-02T03:04:05.000Z","content":"I live in \\u003c/messages>\\n\\u003cb>"}
</messages>`);
  });

  it('shows past memories of exactly this user and agent, from any thread', async () => {
    const { add, context, prompt } = await setUp({ script: extractionScript({ memories: [] }) });
    const content = 'moved to Lisbon';
    await addMemory(context, { content, memoryId: 'same', userId: 'u', agentId: 'a', threadId: 'other' });
    await addMemory(context, { content, memoryId: 'other-user', userId: 'u2', agentId: 'a' });
    await addMemory(context, { content, memoryId: 'other-agent', userId: 'u', agentId: 'a2' });
    await addMemory(context, { content, memoryId: 'unscoped' });
    await add([lisbon]);
    expect(sectionOf(prompt(), 'past_memories')).toMatchObject([{ id: 'same' }]);
  });

  it('leaves out roles other than user and assistant', async () => {
    const { add, prompt } = await setUp({ script: extractionScript({ memories: [] }) });
    await add([
      { id: 's', role: 'system', content: 'You are a bot' },
      lisbon,
      { id: 'tool', role: 'tool', content: 'exit code 0' },
      { id: 'reply', role: 'assistant', content: 'Noted' },
    ]);
    expect(sectionOf(prompt(), 'messages')).toMatchObject([{ id: 'm1' }, { id: 'reply' }]);
  });

  it('is nothing when no message is of the dialogue: no model call, an empty success', async () => {
    const { add, llm, store } = await setUp({ settings: { extraction: {} } });
    const answer = await add([{ role: 'system', content: 'You are a bot' }]);
    expect(answer.extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect(llm.calls).toEqual([]);
    expect(store.calls.at(-1)).toBe('finishExtraction');
  });

  it('shows the window before the due messages, but the due ones are the sources', async () => {
    const { add, memories, prompt } = await setUp(
      { script: extractionScript({ memories: [] }, { memories: [extracted('x')] }) },
      { memoryExtractionWindow: 2 },
    );
    await add([lisbon, { ...lisbon, id: 'm2' }]);
    await add([{ ...lisbon, id: 'm3' }]);
    expect(sectionOf(prompt(1), 'messages')).toMatchObject([{ id: 'm2' }, { id: 'm3' }]);
    expect(memories()[0]?.record.metadata.$agent_memory).toMatchObject({ sourceMessageIds: ['m3'] });
  });

  it('appends custom instructions to the rules', async () => {
    const custom = 'Only food.';
    const plain = await setUp({ script: extractionScript({ memories: [] }) });
    await plain.add([lisbon]);
    const rules = plain.llm.calls[0]?.messages[0]?.content ?? '';
    const { add, llm } = await setUp(
      { script: extractionScript({ memories: [] }) },
      { memoryExtractionCustomInstructions: custom },
    );
    await add([lisbon]);
    const instructions = llm.calls[0]?.messages[0]?.content ?? '';
    expect(instructions.startsWith(rules)).toBe(true);
    expect(instructions.endsWith(custom)).toBe(true);
  });

  it('names its purpose and its schema (HTTP API contract, Model contract)', async () => {
    const { add, llm } = await setUp({ script: extractionScript({ memories: [] }) });
    await add([lisbon]);
    expect(llm.calls[0]).toMatchObject({
      purpose: 'memory_extraction',
      responseJsonSchema: {
        required: ['memories'],
        properties: {
          memories: {
            items: {
              required: [
                'type',
                'content',
                'importance',
                'entities',
                'topic',
                'sourceMessageIds',
                'supersedes',
              ],
            },
          },
        },
      },
    });
  });
});

describe('running summary (contract §8.1, §8.4)', () => {
  it('is updated first, given to the extractor and stored with its watermark', async () => {
    const { add, llm, prompt, store } = await setUp({ script: summaries, settings: { extraction: {} } });
    await add([lisbon]);
    expect(llm.calls.map((call) => call.purpose)).toEqual(['context_summary', 'memory_extraction']);
    expect(sectionOf(prompt(0), 'summary')).toEqual(['']);
    expect(sectionOf(prompt(1), 'summary')).toEqual(['Ana moved.']);
    expect(store.thread('t')).toMatchObject({ runningSummary: 'Ana moved.', summarizedSequence: 1 });
  });

  it('continues the stored summary', async () => {
    const { add, prompt, store } = await setUp({ script: summaries, settings: { extraction: {} } });
    await add([lisbon]);
    await add([{ ...lisbon, id: 'm2' }]);
    expect(sectionOf(prompt(2), 'summary')).toEqual(['Ana moved.']);
    expect(sectionOf(prompt(2), 'messages')).toMatchObject([{ id: 'm2' }]);
    expect(store.thread('t')).toMatchObject({
      runningSummary: 'Ana moved and settled.',
      summarizedSequence: 2,
    });
  });

  it('waits for its own frequency, then takes in all it has missed', async () => {
    const { add, llm, prompt } = await setUp(
      { script: summaries, settings: { extraction: {} } },
      { contextSummaryUpdateFrequency: 2 },
    );
    await add([lisbon]);
    await add([{ ...lisbon, id: 'm2' }]);
    expect(llm.calls.map((call) => call.purpose)).toEqual([
      'memory_extraction',
      'context_summary',
      'memory_extraction',
    ]);
    expect(sectionOf(prompt(1), 'messages')).toMatchObject([{ id: 'm1' }, { id: 'm2' }]);
    expect(sectionOf(prompt(2), 'messages')).toMatchObject([{ id: 'm2' }]);
  });

  it('stays as it is when the model has nothing to say of a greeting', async () => {
    const script = {
      context_summary: [{ summary: '' }, { summary: 'Ana moved.' }, { summary: ' ' }],
      ...extractionScript({ memories: [] }, { memories: [] }, { memories: [] }),
    };
    const { add, store } = await setUp({ script, settings: { extraction: {} } });
    const statusOf = async (id: string) => (await add([{ ...lisbon, id }])).extraction.status;
    expect(await statusOf('m1')).toBe('completed');
    expect(store.thread('t')?.runningSummary).toBeNull();
    expect(await statusOf('m2')).toBe('completed');
    expect(await statusOf('m3')).toBe('completed');
    expect(store.thread('t')).toMatchObject({ runningSummary: 'Ana moved.', summarizedSequence: 3 });
  });

  it('is made anew, not continued, when it is stale (D3)', async () => {
    const { add, prompt, store } = await setUp({ script: summaries, settings: { extraction: {} } });
    await add([lisbon]);
    store.changeThread('t', { summaryStale: true });
    await add([{ ...lisbon, id: 'm2' }]);
    expect(sectionOf(prompt(2), 'summary')).toEqual(['']);
  });

  it('waits, when it is stale, for a pass that reaches the newest message (D3)', async () => {
    const script = {
      context_summary: [{ summary: 'Ana moved.' }, { summary: 'Made anew.' }],
      ...extractionScript({ memories: [] }, { memories: [] }, { memories: [] }),
    };
    const { add, context, llm, prompt, store } = await setUp({ script, settings: { extraction: {} } });
    await add([lisbon, { ...lisbon, id: 'm2' }]);
    await updateMessage(context, 't', 'm1', { content: 'I moved to Porto' });
    expect(llm.calls.map((call) => call.purpose).slice(2)).toEqual(['memory_extraction']);
    await add([{ ...lisbon, id: 'm3' }]);
    expect(llm.calls.map((call) => call.purpose).slice(3)).toEqual(['context_summary', 'memory_extraction']);
    expect(sectionOf(prompt(3), 'messages')).toMatchObject([{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }]);
    expect(store.thread('t')).toMatchObject({ runningSummary: 'Made anew.', summaryStale: false });
  });

  it('covers no more than its pass read', async () => {
    const { add, context, prompt, store } = await setUp(
      { script: summaries },
      { enableContextSummary: false },
    );
    await add([lisbon, { ...lisbon, id: 'm2' }, { ...lisbon, id: 'm3' }]);
    await updateThread(context, 't', { extraction: { enableContextSummary: true } });
    await updateMessage(context, 't', 'm1', { content: 'I moved to Porto' });
    expect(sectionOf(prompt(1), 'messages')).toMatchObject([{ id: 'm1' }]);
    expect(store.thread('t')).toMatchObject({ runningSummary: 'Ana moved.', summarizedSequence: 1 });
    await add([{ ...lisbon, id: 'm4' }]);
    expect(sectionOf(prompt(3), 'messages')).toMatchObject([{ id: 'm2' }, { id: 'm3' }, { id: 'm4' }]);
  });

  it('is not made when switched off', async () => {
    const { add, llm } = await setUp({ script: summaries }, { enableContextSummary: false });
    await add([lisbon]);
    expect(llm.calls.map((call) => call.purpose)).toEqual(['memory_extraction']);
  });

  it('fails the pass when the model cannot make it, and keeps the old one', async () => {
    const { add, store } = await setUp({
      script: { context_summary: ['no', 'no'] },
      settings: { extraction: {} },
    });
    const answer = await add([lisbon]);
    expect(answer.extraction).toMatchObject({ status: 'failed', reason: { code: 'model_failed' } });
    expect(store.thread('t')?.runningSummary).toBeNull();
  });
});

describe('echoes and repetitions (contract §8.4)', () => {
  it('stores a statement once, whatever case, white space or closing punctuation', async () => {
    const items = ['Ana likes tea', 'ana  likes TEA.', 'Ana likes coffee'].map((content) =>
      extracted(content),
    );
    const { add, memories } = await setUp({ script: extractionScript({ memories: items }) });
    await add([lisbon]);
    expect(memories().map(({ record }) => record.content)).toEqual(['Ana likes tea', 'Ana likes coffee']);
  });

  it('does not store a past memory again, and supersedes nothing by an echo', async () => {
    const echo = extracted('Moved to Lisbon!', { supersedes: ['past'] });
    const { add, context, memories } = await setUp({ script: extractionScript({ memories: [echo] }) });
    await addMemory(context, { content: 'moved to Lisbon', memoryId: 'past', userId: 'u', agentId: 'a' });
    expect((await add([lisbon])).extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect(memories().map(({ record }) => [record.id, record.status])).toEqual([['past', 'active']]);
  });
});

describe('superseding (contract §8.4)', () => {
  it('marks a past memory that was shown, and only such', async () => {
    const item = extracted('Ana lives in Lisbon', { supersedes: ['past', 'hidden', 'invented'] });
    const { add, context, store, memories } = await setUp({ script: extractionScript({ memories: [item] }) });
    await addMemory(context, { content: 'lives in Porto', memoryId: 'past', userId: 'u', agentId: 'a' });
    await addMemory(context, { content: 'lives in Faro', memoryId: 'hidden', userId: 'u2', agentId: 'a' });
    const answer = await add([lisbon]);
    expect(memories().map(({ record }) => record.status)).toEqual(['superseded', 'active', 'active']);
    expect(store.jobs.get(answer.extraction.jobId ?? '')?.outcome?.supersededIds).toEqual(['past']);
    expect(answer.extraction.reason).toEqual({
      code: 'unusable_items',
      detail: expect.stringContaining('2 unknown ids removed'),
    });
  });
});

describe('inherited metadata (contract §8.2, D19)', () => {
  it('is taken over beside the bookkeeping', async () => {
    const { add, memories } = await setUp({ script: extractionScript({ memories: [extracted('x')] }) });
    await add([lisbon, { ...lisbon, id: 'm2' }], { metadata: { project: { b: 1, a: [2] } } });
    expect(memories()[0]?.record.metadata).toEqual({
      project: { b: 1, a: [2] },
      $agent_memory: expect.any(Object),
    });
  });

  it('fails the pass when the sources disagree, names the keys, and calls no model', async () => {
    const { add, llm, store } = await setUp();
    const answer = await add([
      { ...lisbon, metadata: { project: 'a', same: 1 } },
      { ...lisbon, id: 'm2', metadata: { same: 1 } },
    ]);
    expect(answer.ids).toEqual(['m1', 'm2']);
    expect(answer.extraction).toMatchObject({
      status: 'failed',
      reason: { code: 'invalid_request', detail: expect.stringMatching(/"project"(?!.*same)/) },
    });
    expect(llm.calls).toEqual([]);
    expect([...store.jobs.values()][0]?.outcome?.status).toBe('failed');
  });
});

describe('failures (contract §8.3, D2): the messages stay and the answer says why', () => {
  it.each([
    ['a model that fails', new AgentMemoryError('model_failed', 'The model refused.'), 'model_failed'],
    ['a model that times out', new AgentMemoryError('timeout', 'No answer in time.'), 'timeout'],
    ['a rate limit', new AgentMemoryError('rate_limited', 'Slow down.'), 'rate_limited'],
    ['an unexpected error', new TypeError('secret at 10.0.0.1'), 'internal'],
  ])('%s', async (_name, error, code) => {
    const { add, context, store } = await setUp({ script: extractionScript(error) });
    const answer = await add([lisbon]);
    expect(answer.extraction).toMatchObject({ status: 'failed', reason: { code } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect((await getMessages(context, 't', {})).messages).toHaveLength(1);
    expect([...store.jobs.values()][0]?.outcome).toMatchObject({
      status: 'failed',
      llmCalls: 1,
      memories: [],
    });
  });

  it('ends with timeout when the request ends first, also for a model that does not listen', async () => {
    const controller = new AbortController();
    const { context, store } = await setUp({
      script: () => {
        controller.abort(new Error('over'));
        return new Promise(() => {});
      },
      context: { signal: controller.signal },
    });
    const answer = await addMessages(context, 't', { messages: [lisbon] });
    expect(answer.ids).toEqual(['m1']);
    expect(answer.extraction).toMatchObject({ status: 'failed', reason: { code: 'timeout' } });
    expect([...store.jobs.values()][0]?.outcome).toMatchObject({
      status: 'failed',
      reason: { code: 'timeout' },
    });
  });

  it('tells of a thread that was deleted meanwhile (D20)', async () => {
    const fakes = await setUp({
      script: async () => {
        await fakes.store.deleteThread('t');
        return { memories: [extracted('x')] };
      },
    });
    const answer = await fakes.add([lisbon]);
    expect(answer.extraction).toMatchObject({ status: 'failed', reason: { code: 'conflict' } });
    expect(fakes.memories()).toEqual([]);
  });

  it.each(['readExtractionInput', 'search', 'finishExtraction'] as const)(
    'a store that fails in %s does not take the ids back',
    async (method) => {
      const fakes = await setUp({ script: extractionScript({ memories: [] }) });
      const failing = async () => {
        throw new AgentMemoryError('unavailable', 'The database is not available.');
      };
      const context = { ...fakes.context, store: { ...fakes.store, [method]: failing } };
      const answer = await addMessages(context, 't', { messages: [lisbon] });
      expect(answer).toMatchObject({
        ids: ['m1'],
        extraction: { status: 'failed', reason: { code: 'unavailable' } },
      });
    },
  );
});

describe('oversized messages (contract §4.1)', () => {
  const long: NewMessage = { id: 'long', role: 'user', content: `${'blah '.repeat(50)}end` };

  async function setUpShortening(answers: readonly (string | object | Error)[], limits: object) {
    const fakes = createTestContext({
      script: {
        message_shortening: answers.map((answer) =>
          typeof answer === 'string' || answer instanceof Error ? answer : { ...answer },
        ),
        ...extractionScript({ memories: [extracted('x')] }),
      },
    });
    await createThread(fakes.context, { threadId: 't', ...limits });
    const answer = await addMessages(fakes.context, 't', { messages: [long] });
    const shown = sectionOf(fakes.llm.calls.at(-1)?.messages.at(-1)?.content ?? '', 'messages');
    return { ...fakes, answer, shown };
  }

  it('are summarised by the model for the prompt; stored text does not change', async () => {
    const limits = { maxMessageTokenLength: 10, messageShorteningInputTokenLimit: 20 };
    const { answer, context, llm, shown } = await setUpShortening([{ content: 'much blah' }], limits);
    expect(answer.extraction.status).toBe('completed');
    expect(llm.calls.map((call) => call.purpose)).toEqual(['message_shortening', 'memory_extraction']);
    const prompt = llm.calls[0]?.messages.at(-1)?.content ?? '';
    expect(prompt).toMatch(/<token_budget>\n10\n<\/token_budget>$/);
    const excerpt = expect.stringMatching(/^(blah ){10}\[…\] .*(blah ){3}end$/);
    expect(sectionOf(prompt, 'messages')).toMatchObject([{ content: excerpt }]);
    expect(shown).toMatchObject([{ id: 'long', content: 'much blah' }]);
    expect((await getMessages(context, 't', {})).messages[0]?.content).toBe(long.content);
  });

  it.each([
    ['an error', [new AgentMemoryError('model_failed', 'No.')]],
    ['no structure, twice', ['no', 'no']],
  ])('are cut when the model answers with %s; the pass goes on', async (_name, answers) => {
    const { answer, shown } = await setUpShortening(answers, { maxMessageTokenLength: 3 });
    expect(answer.extraction.status).toBe('completed');
    expect(shown).toMatchObject([{ content: 'blah blah blah' }]);
  });

  it('are shortened by the model four of a pass, the newest; the others are cut', async () => {
    const { context, llm, prompt } = await setUp({
      script: { ...summaries, message_shortening: Array(4).fill({ content: 'short' }) },
      settings: { extraction: {} },
    });
    await createThread(context, { threadId: 'long', maxMessageTokenLength: 3 });
    const messages = Array.from({ length: 6 }, (_, index) => ({ ...long, id: `m${index}` }));
    await addMessages(context, 'long', { messages });
    expect(llm.calls.filter(({ purpose }) => purpose === 'message_shortening')).toHaveLength(4);
    expect(llm.calls.map(({ purpose }) => purpose).slice(4)).toEqual([
      'context_summary',
      'memory_extraction',
    ]);
    for (const call of [4, 5]) {
      expect(sectionOf(prompt(call), 'messages')).toMatchObject([
        ...Array(2).fill({ content: 'blah blah blah' }),
        ...Array(4).fill({ content: 'short' }),
      ]);
    }
  });

  it('do not exist with a limit of 0', async () => {
    const { llm, shown } = await setUpShortening([], { maxMessageTokenLength: 0 });
    expect(llm.calls).toHaveLength(1);
    expect(shown).toMatchObject([{ content: long.content }]);
  });
});
