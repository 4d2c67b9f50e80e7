import { FakeListChatModel } from '@langchain/core/utils/testing';
import { simulateReadableStream, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDemoService } from '../../examples/demo-service.ts';
import { createAgent } from '../../examples/langgraph/agent.ts';
import { startConversation } from '../../examples/vercel-ai-sdk/agent.ts';
import { createMemoryMiddleware } from '../../examples/vercel-ai-sdk/memory-middleware.ts';
import type { AppServer } from '../../infra/local/serve-app.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { startScriptedModel } from './scripted-model.ts';

let service: AppServer;
let memory: AgentMemoryApi;
let userId = '';
let users = 0;
beforeAll(async () => {
  service = await startDemoService();
  memory = createAgentMemoryClient({ baseUrl: service.url });
  vi.stubEnv('AGENT_MEMORY_URL', service.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service?.close();
});

/** Each test has a user who has said how to travel, in an earlier conversation with the same agent. */
beforeEach(async () => {
  users += 1;
  userId = `maya-${users}`;
  const earlier = await memory.createThread({ userId, agentId: 'pia' });
  await earlier.addMessages([{ role: 'user', content: 'I prefer trains over planes.' }]);
});

const QUESTION = 'How do I get to Lisbon? I am allergic to peanuts.';
const ANSWER = 'By the night train.';
const KNOWN = 'User prefers trains over planes.';

/** What a conversation left: its messages in order, and what was learned from them. */
async function expectStored(thread: ThreadApi, messages: readonly string[]): Promise<void> {
  const stored = await thread.getMessages();
  expect(stored.map(({ role, content }) => `${role}: ${content}`)).toEqual(messages);
  const { items } = await memory.listMemories({ userId, threadId: thread.threadId });
  expect(items.map(({ content }) => content).join()).toMatch(/allergic to peanuts/);
}

async function newestThread(): Promise<ThreadApi> {
  const [newest] = (await memory.listThreads({ userId, limit: 1 })).items;
  if (newest === undefined) throw new Error('The user has no thread.');
  return newest;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: 'stop' } as const;

function generated(text: string) {
  return { content: [{ type: 'text' as const, text }], finishReason: stop, usage, warnings: [] };
}

describe('the middleware for the AI SDK', () => {
  it('shows the model what is known, and stores the turn as it was said', async () => {
    const model = new MockLanguageModelV4({ doGenerate: [generated(ANSWER), generated('You are welcome.')] });
    const say = await startConversation(model, userId);
    expect(await say(QUESTION)).toBe(ANSWER);
    expect(await say('Thanks!')).toBe('You are welcome.');
    const [first, second] = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
    expect(first).toContain(KNOWN);
    expect(first).toContain('<relevant_information>');
    expect(second?.match(/<context_card>/g)).toHaveLength(1);
    await expectStored(await newestThread(), [
      `user: ${QUESTION}`,
      `assistant: ${ANSWER}`,
      'user: Thanks!',
      'assistant: You are welcome.',
    ]);
  });

  it('stores what was streamed before the stream ends', async () => {
    const thread = await memory.createThread({ userId, agentId: 'pia' });
    const chunks = [
      { type: 'text-start' as const, id: '1' },
      ...['By the ', 'night train.'].map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: stop, usage },
    ];
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
    });
    const middleware = createMemoryMiddleware(thread);
    const { textStream } = streamText({ model: wrapLanguageModel({ model, middleware }), prompt: QUESTION });
    let text = '';
    for await (const part of textStream) text += part;
    expect(text).toBe(ANSWER);
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain(KNOWN);
    await expectStored(thread, [`user: ${QUESTION}`, `assistant: ${ANSWER}`]);
  });

  it.each(['tool-calls', 'error', 'interrupted'] as const)(
    'stores nothing of a step that ends in %s',
    async (unified) => {
      const thread = await memory.createThread({ userId, agentId: 'pia' });
      const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'find', input: '{}' };
      const finishReason = { unified, raw: unified };
      const model = new MockLanguageModelV4({
        doGenerate: { ...generated(''), content: [call], finishReason },
      });
      const wrapped = wrapLanguageModel({ model, middleware: createMemoryMiddleware(thread) });
      await wrapped.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }] });
      expect(model.doGenerateCalls).toHaveLength(1);
      expect(await thread.getMessages()).toEqual([]);
    },
  );

  it('fails with the memory service, or answers without it when a function takes the failures', async () => {
    const gone = await memory.createThread({ userId, agentId: 'pia' });
    await memory.deleteThread(gone.threadId);
    const model = new MockLanguageModelV4({ doGenerate: generated(ANSWER) });
    const prompt = {
      prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }],
    };
    const strict = wrapLanguageModel({ model, middleware: createMemoryMiddleware(gone) });
    await expect(strict.doGenerate(prompt)).rejects.toMatchObject({ code: 'not_found' });
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push(error);
    const lenient = wrapLanguageModel({ model, middleware: createMemoryMiddleware(gone, { onFailure }) });
    expect((await lenient.doGenerate(prompt)).content).toEqual([{ type: 'text', text: ANSWER }]);
    expect(failures).toMatchObject([{ code: 'not_found' }, { code: 'not_found' }]);
  });
});

it('the graph of LangGraph recalls, answers and remembers, turn after turn', async () => {
  const model = new FakeListChatModel({ responses: [ANSWER, 'You are welcome.'] });
  const prompts = vi.spyOn(model, 'invoke');
  const agent = createAgent(model);
  const threadId = `langgraph-${userId}`;
  const config = { configurable: { thread_id: threadId, user_id: userId } };
  const first = await agent.invoke({ messages: [{ role: 'user', content: QUESTION }] }, config);
  expect(first.messages.at(-1)?.text).toBe(ANSWER);
  expect(JSON.stringify(prompts.mock.calls[0]?.[0])).toContain(KNOWN);
  await agent.invoke({ messages: [{ role: 'user', content: 'Thanks!' }] }, config);
  await expectStored(await memory.getThread(threadId), [
    `user: ${QUESTION}`,
    `assistant: ${ANSWER}`,
    'user: Thanks!',
    'assistant: You are welcome.',
  ]);
});

describe('an agent on a platform', () => {
  async function expectAgent(
    agentUrl: string,
    ask: (body: string) => Promise<{ readonly status: number; readonly body: unknown }>,
    prompts: readonly (readonly string[])[],
  ): Promise<void> {
    const threadId = `${agentUrl}-${userId}`;
    const question = (message: string) => JSON.stringify({ userId, threadId, message });
    expect(await ask(question(QUESTION))).toEqual({ status: 200, body: { answer: ANSWER } });
    expect(prompts[0]?.join('\n')).toContain(KNOWN);
    expect(await ask(question('Thanks!'))).toEqual({ status: 200, body: { answer: 'You are welcome.' } });
    expect(prompts[1]?.slice(0, 3)).toEqual([
      'system: You are Pia.',
      `user: ${QUESTION}`,
      `assistant: ${ANSWER}`,
    ]);
    await expectStored(await memory.getThread(threadId), [
      `user: ${QUESTION}`,
      `assistant: ${ANSWER}`,
      'user: Thanks!',
      'assistant: You are welcome.',
    ]);
    for (const wrong of ['', '{}', '[']) expect(await ask(wrong)).toMatchObject({ status: 400 });
  }

  it('AWS Lambda', async () => {
    const model = await startScriptedModel([ANSWER, 'You are welcome.']);
    vi.stubEnv('LLM_API_BASE', model.apiBase);
    const { handler } = await import('../../examples/lambda-agent/handler.ts');
    try {
      await expectAgent(
        'lambda',
        async (text) => {
          const body = Buffer.from(text).toString('base64');
          const result = await handler({ body, isBase64Encoded: true });
          return { status: result.statusCode, body: JSON.parse(result.body) };
        },
        model.prompts,
      );
      expect((await handler({ body: null })).statusCode).toBe(400);
    } finally {
      await model.close();
    }
  });

  it('Cloudflare Workers, in workerd', async () => {
    const model = await startScriptedModel([ANSWER, 'You are welcome.']);
    const { outputFiles } = await build({
      entryPoints: ['examples/worker-agent/worker.ts'],
      ...{ bundle: true, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], write: false },
    });
    const variables = {
      AGENT_MEMORY_URL: service.url,
      LLM_API_BASE: model.apiBase,
      LLM_API_KEY: 'k',
      LLM_MODEL: 'm',
    };
    const entries = Object.entries(variables).map(
      ([name, value]) => [name, { type: 'text' as const, value }] as const,
    );
    const miniflare = new Miniflare({
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          config: {
            name: 'agent',
            compatibilityDate: '2026-11-01',
            compatibilityFlags: [],
            manifest: {
              mainModule: 'worker.js',
              modules: { 'worker.js': { type: 'esm', contents: outputFiles[0]?.text ?? '' } },
            },
            env: Object.fromEntries(entries),
          },
        },
      ],
    });
    try {
      const url = await miniflare.ready;
      await expectAgent(
        'worker',
        async (body) => {
          const response = await fetch(url, { method: 'POST', body });
          return { status: response.status, body: await response.json() };
        },
        model.prompts,
      );
    } finally {
      await miniflare.dispose();
      await model.close();
    }
  });
});
