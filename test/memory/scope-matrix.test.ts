import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import { type Owners, scopeFactorOf } from './evaluate-search-scope.ts';
import { checkScopedList, SCOPED_LISTS } from './scope-lists.ts';
import { checkScopeMatrix, requestsOf } from './scope-matrix.ts';
import { contentOf, fillScopeStage, MEMORIES, RECORDS, THREADS } from './scope-stage.ts';
import { createTestContext } from './test-context.ts';

const LEVELS = ['thread', 'client', 'store'] as const;
const llm = createScriptedLlm(() => ({ memories: [] }));

const messagesOf = (own: Owners) =>
  RECORDS.filter((record) => record.recordType === 'message' && record.threadId === own.threadId).map(
    contentOf,
  );

describe('the scope table, cell by cell (contract §5, D5, D6)', () => {
  let opened: EmulatedMemory;
  beforeAll(async () => {
    opened = await openEmulatedMemory(llm, { searchStrategy: 'hybrid' });
    await fillScopeStage(opened.memory);
  });
  afterAll(() => opened?.memory.close());

  it.each(LEVELS)('holds in every vector search of the %s', async (level) => {
    const checked = await checkScopeMatrix(opened.with('vector'), level, requestsOf(level, 'all'));
    expect(checked).toBe(9 ** 3);
  });

  describe.each(['keyword', 'hybrid'] as const)('with %s search', (strategy) => {
    it.each(LEVELS)('holds in every search of the %s by two dimensions', async (level) => {
      const checked = await checkScopeMatrix(opened.with(strategy), level, requestsOf(level, 'pairs'));
      expect(checked).toBe(9 ** 3 - 8 ** 3);
    });
  });

  it.each(SCOPED_LISTS)('$name shows whose it is asked for, by every combination', async (list) => {
    expect(await checkScopedList(opened.memory, list)).toBe(4 ** list.fields.length);
  });

  it.each(['vector', 'keyword', 'hybrid'] as const)(
    'a card with %s search has memories of its user and agent, messages of its thread alone (contract D15)',
    async (strategy) => {
      const memory = opened.with(strategy);
      for (const own of THREADS) {
        const thread = await memory.getThread(own.threadId ?? '');
        const card = await thread.getContextCard({ maxRelevantResults: 100, maxRecentMessages: 100 });
        const expected = MEMORIES.filter((record) => scopeFactorOf('thread', {}, own, record) !== undefined);
        expect(card.relevantResults.map(({ id }) => id).toSorted()).toEqual(
          expected.map(({ id }) => id).toSorted(),
        );
        expect(card.recentMessages.map(({ content }) => content)).toEqual(messagesOf(own));
      }
    },
  );

  it('messages, summaries and extractions are those of the thread alone', async () => {
    for (const own of THREADS) {
      const thread = await opened.memory.getThread(own.threadId ?? '');
      const messages = await thread.getMessages();
      expect(messages.map(({ content }) => content)).toEqual(messagesOf(own));
      const listed = await opened.memory.records.listThreadMessages(own.threadId ?? '');
      expect(listed.map(({ content }) => content)).toEqual(messagesOf(own));
      const { content } = await thread.getSummary({ tokenBudget: 0 });
      const told = RECORDS.map(contentOf).filter((each) => content.includes(each));
      expect(told).toEqual(messagesOf(own));
      const { jobs } = await thread.getExtraction();
      expect(jobs.flatMap(({ messageIds }) => messageIds)).toEqual(
        RECORDS.filter((record) => record.recordType === 'message' && record.threadId === own.threadId)
          .map(({ id }) => id)
          .toReversed(),
      );
    }
  });

  it.each(LEVELS)('holds in every search of the %s over a store in memory', async (level) => {
    const { memory } = createTestContext({ context: { llm }, settings: { extraction: {} } });
    await fillScopeStage(memory);
    await checkScopeMatrix(memory, level, requestsOf(level, 'all'));
  });
});
