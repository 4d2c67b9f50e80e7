import { expect, it } from 'vitest';
import { getContextCard } from '../../lib/memory/context-card.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createTestContext } from './test-context.ts';

it.each(['Hi', 'Thanks!', '👍', '???', '```code```', 'こんにちは'])(
  'the offline model completes an extraction that has nothing to keep: %s',
  async (content) => {
    const { context } = createTestContext({
      context: { llm: createRulesLlm() },
      settings: { extraction: {} },
    });
    await createThread(context, { threadId: 't' });
    const { extraction } = await addMessages(context, 't', { messages: [{ role: 'user', content }] });
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [] });
    expect((await getContextCard(context, 't', {})).summary).toBe(`user: ${content}`);
  },
);
