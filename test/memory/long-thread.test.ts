import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { openEmulatedMemory } from './emulated-memory.ts';

const TOTAL = 10_000;
const PER_CALL = 500;
const SENTENCE = 'The ferry to the island leaves at nine and comes back at noon. '.repeat(3);

/** What came back from the database since the last reset. */
const read = { queries: 0, rows: 0, characters: 0 };

function withMeasuredReads(transport: SqlTransport): SqlTransport {
  return {
    ...transport,
    executeAtomic: (list, options) => transport.executeAtomic(list, options),
    query: async (query, options) => {
      const rows = await transport.query(query, options);
      read.queries += 1;
      read.rows += rows.length;
      read.characters += JSON.stringify(rows).length;
      return rows;
    },
  };
}

describe('a thread of 10,000 messages (contract §4.6, §8.1, §9.1)', () => {
  let memory: AgentMemoryApi;
  let thread: ThreadApi;
  let tokenizer: Tokenizer;
  const llm = createScriptedLlm(({ purpose }) =>
    purpose === 'memory_extraction' ? { memories: [] } : { summary: 'They talk of ferries.', topics: [] },
  );
  const promptTokens = () => llm.calls.map(({ messages }) => tokenizer.count(messages[1]?.content ?? ''));

  beforeAll(async () => {
    tokenizer = await loadTokenizer();
    memory = (await openEmulatedMemory(llm, { wrapTransport: withMeasuredReads })).memory;
    thread = await memory.createThread({
      contextCardTokenLimit: 2_000,
      extraction: { extractMemories: false },
    });
    for (let start = 0; start < TOTAL; start += PER_CALL) {
      const messages = Array.from({ length: PER_CALL }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `${start + index}: ${SENTENCE}`,
      }));
      await thread.addMessages(messages);
    }
  }, 180_000);
  beforeEach(() => {
    Object.assign(read, { queries: 0, rows: 0, characters: 0 });
  });
  afterAll(() => memory?.close());

  it('shows a window by reading that window', async () => {
    const newest = await thread.getMessages();
    expect([newest.length, newest[0]?.content.split(':')[0]]).toEqual([100, '9900']);
    expect(read).toMatchObject({ queries: 1, rows: 100 });
    expect(read.characters).toBeLessThan(100 * (SENTENCE.length + 300));
    const middle = await thread.getMessages({ start: 5_000, end: 5_003 });
    expect(middle.map(({ content }) => content.split(':')[0])).toEqual(['5000', '5001', '5002']);
    expect(read).toMatchObject({ queries: 2, rows: 103 });
  });

  it('is summarised within the budget by one read that ends with it', async () => {
    const { content } = await thread.getSummary({ tokenBudget: 100 });
    expect(content).toHaveLength(350);
    expect(read.queries).toBe(1);
    expect(read.rows).toBeLessThanOrEqual(70);
  });

  it('has a card of its newest messages', async () => {
    const card = await thread.getContextCard();
    expect(card.summary).toBe('They talk of ferries.');
    expect(card.recentMessages.map(({ content }) => content.split(':')[0])).toEqual([
      '9995',
      '9996',
      '9997',
      '9998',
      '9999',
    ]);
    expect(card.content.length).toBeLessThan(3_000);
    expect(read.queries).toBe(2);
    expect(read.rows).toBeLessThanOrEqual(51);
    expect(read.characters).toBeLessThan(51 * (SENTENCE.length + 1_000));
    expect(promptTokens().at(-1)).toBeLessThanOrEqual(2_000);
    expect(llm.calls.at(-1)?.messages[1]?.content).toContain('9999: The ferry');
  });

  it('is extracted within the budget, however much is due', async () => {
    const due = await thread.update({
      extraction: { extractMemories: true, memoryExtractionTokenLimit: 1_000, memoryExtractionWindow: 4 },
    });
    const before = llm.calls.length;
    const { extraction } = await due.addMessages([{ role: 'user', content: `10000: ${SENTENCE}` }]);
    expect(extraction.status).toBe('completed');
    const calls = promptTokens().slice(before);
    expect(calls).toHaveLength(2);
    expect(Math.max(...calls)).toBeLessThanOrEqual(1_000);
    const shown = llm.calls.at(-1)?.messages[1]?.content.match(/"content":"\d+/g);
    expect(shown).toEqual([9997, 9998, 9999, 10000].map((number) => `"content":"${number}`));
    expect(read.characters).toBeLessThan(5_000_000);
  });

  it('is extracted with a window that is larger than what one read holds', async () => {
    const all = await thread.update({
      extraction: { extractMemories: true, memoryExtractionTokenLimit: 0, memoryExtractionWindow: 1_000_000 },
    });
    const { extraction } = await all.addMessages([{ role: 'user', content: `10001: ${SENTENCE}` }]);
    expect(extraction.status).toBe('completed');
    const shown = llm.calls.at(-1)?.messages[1]?.content.match(/"content":"\d+/g) ?? [];
    expect([shown.length, shown.at(-1)]).toEqual([5_000, '"content":"10001']);
  });

  it('makes a stale running summary anew of its newest 500 messages', async () => {
    const [message] = await thread.getMessages({ start: 9_990, end: 9_991 });
    await thread.deleteMessage(message?.id ?? '');
    Object.assign(read, { queries: 0, rows: 0, characters: 0 });
    await thread.getContextCard();
    expect(read.rows).toBeLessThanOrEqual(501);
    expect(read.rows).toBeGreaterThan(51);
    expect(promptTokens().at(-1)).toBeLessThanOrEqual(2_000);
    Object.assign(read, { queries: 0, rows: 0, characters: 0 });
    await thread.getContextCard();
    expect(read.rows).toBeLessThanOrEqual(51);
  });
});
