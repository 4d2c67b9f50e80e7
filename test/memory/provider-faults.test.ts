import { describe, expect, it } from 'vitest';
import { addMessages, getMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createOpenAiCompatibleLlm } from '../../lib/models/openai-compatible/openai-compatible-llm.ts';
import { type LoopbackAnswer, startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { createTestContext, extracted } from './test-context.ts';

function completion(content: string | null, finish_reason = 'stop', fields: object = {}): LoopbackAnswer {
  const message = { role: 'assistant', content, ...fields };
  return { body: { id: '1', model: 'm', choices: [{ index: 0, message, finish_reason }] } };
}

const VENDOR_TEXT = 'vendor text 4711';
const failed = (status: number, headers: Readonly<Record<string, string>> = {}): LoopbackAnswer => ({
  status,
  headers,
  body: { error: { message: VENDOR_TEXT } },
});
const answer = JSON.stringify({ memories: [extracted('User likes tea')] });

/** Adds one message on a thread whose model is this endpoint. */
async function addWith(answers: LoopbackAnswer, timeoutSeconds = 30) {
  await using endpoint = await startLoopbackEndpoint(() => answers);
  const llm = createOpenAiCompatibleLlm({ apiBase: endpoint.apiBase, model: 'm', timeoutSeconds });
  const fakes = createTestContext({ context: { llm } });
  await createThread(fakes.context, { threadId: 't' });
  const messages = [{ id: 'm1', role: 'user', content: 'I like tea' }];
  const { ids, extraction } = await addMessages(fakes.context, 't', { messages });
  const stored = (await getMessages(fakes.context, 't', {})).messages.map((message) => message.id);
  const memories = fakes.store.records().filter(({ family }) => family === 'memory');
  const outcome = fakes.store.jobs.get(extraction.jobId ?? '')?.outcome;
  return { ids, extraction, stored, memories, outcome, requests: endpoint.received.length };
}

describe('a provider that fails (contract §8.3, D2): the messages stay and the answer says what happened', () => {
  it.each<[string, LoopbackAnswer, string, number]>([
    ['status 500', failed(500), 'model_failed', 1],
    ['status 429 with Retry-After', failed(429, { 'retry-after': '7' }), 'rate_limited', 1],
    ['status 401', failed(401), 'model_failed', 1],
    ['status 400', failed(400), 'model_failed', 1],
    ['a cut connection', { fault: 'cut' }, 'model_failed', 1],
    ['a content filter', completion('', 'content_filter'), 'model_failed', 1],
    ['a refusal', completion(null, 'stop', { refusal: VENDOR_TEXT }), 'model_failed', 1],
    ['an answer cut at its limit', completion(answer.slice(0, 40), 'length'), 'model_failed', 1],
    ['an empty answer', completion(''), 'model_failed', 2],
    ['no text at all', completion(null), 'model_failed', 2],
    ['a list', completion(`[${JSON.stringify(extracted('x'))}]`), 'model_failed', 2],
    ['prose', completion('Nothing to remember.'), 'model_failed', 2],
    ['a truncated answer', completion(answer.slice(0, -20)), 'model_failed', 2],
  ])('%s', async (_name, answers, code, requests) => {
    const result = await addWith(answers);
    expect(result).toMatchObject({
      ids: ['m1'],
      stored: ['m1'],
      memories: [],
      requests,
      extraction: { status: 'failed', reason: { code } },
      outcome: { status: 'failed', memories: [], summary: null, llmCalls: requests },
    });
    expect(JSON.stringify(result)).not.toContain(VENDOR_TEXT);
  });

  it('no answer in time', async () => {
    const result = await addWith({ fault: 'hang' }, 0.2);
    expect(result).toMatchObject({
      stored: ['m1'],
      memories: [],
      extraction: { status: 'failed', reason: { code: 'timeout' } },
    });
  });

  it('an answer in a code fence with wrong ids is used, and the ids are counted', async () => {
    const items = {
      memories: [extracted('User likes tea', { sourceMessageIds: ['m9'], supersedes: ['x'] })],
    };
    const result = await addWith(completion(`\`\`\`json\n${JSON.stringify(items)}\n\`\`\``));
    expect(result.extraction).toMatchObject({ status: 'completed', reason: { code: 'unusable_items' } });
    expect(result.memories[0]?.record.metadata.$agent_memory).toMatchObject({ sourceMessageIds: ['m1'] });
  });
});
