import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { getContextCard } from '../../lib/memory/context-card.ts';
import { getJob } from '../../lib/memory/jobs.ts';
import { addMemory } from '../../lib/memory/memories.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import { createOpenAiCompatibleLlm } from '../../lib/models/openai-compatible/openai-compatible-llm.ts';
import type { NewMessage } from '../../lib/schemas/message.ts';
import { startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { createTestContext, extracted, extractionScript } from './test-context.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };

function closed(properties: object): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** What each call must ask for, by its name. */
const SCHEMAS: Readonly<Record<string, object>> = {
  message_shortening: closed({ content: text }),
  context_summary: closed({ summary: text }),
  memory_extraction: closed({
    memories: {
      type: 'array',
      items: closed({
        type: { type: 'string', enum: ['memory', 'fact', 'preference', 'guideline'] },
        content: text,
        importance: { type: 'integer', minimum: 1, maximum: 5 },
        entities: texts,
        topic: text,
        sourceMessageIds: texts,
        supersedes: texts,
      }),
    },
  }),
  context_card: closed({ summary: text, topics: texts }),
};

const requestSchema = z.object({
  response_format: z.object({ json_schema: z.object({ name: z.string(), schema: z.unknown() }) }),
});

const ANSWER = JSON.stringify({ content: 'tea', summary: 'Tea.', topics: ['tea'], memories: [] });

describe('what a model is asked for (HTTP API contract, Model contract; contract §8.4, §9.1)', () => {
  it('carries its purpose as the name of a fixed schema, call by call', async () => {
    await using endpoint = await startLoopbackEndpoint(() => ({
      body: {
        id: '1',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
      },
    }));
    const llm = createOpenAiCompatibleLlm({ apiBase: endpoint.apiBase, model: 'm', timeoutSeconds: 30 });
    const { context } = createTestContext({ context: { llm }, settings: { extraction: {} } });
    await createThread(context, { threadId: 't', maxMessageTokenLength: 5 });
    const content = 'I like green tea and black tea';
    await addMessages(context, 't', { messages: [{ role: 'user', content }] });
    await getContextCard(context, 't', {});
    const asked = endpoint.received.map(({ body }) => requestSchema.parse(body).response_format.json_schema);
    expect(asked.map(({ name }) => name)).toEqual(Object.keys(SCHEMAS));
    for (const { name, schema } of asked) expect(schema, name).toEqual(SCHEMAS[name]);
  });

  it('has ids as they are stored, and they come back as they are', async () => {
    const ids = ['a/b', '日本', 'say "hi"', 'x%2Fy', '</messages>', '🙂', 'm 1'];
    const { context, store, llm } = createTestContext({
      script: extractionScript({
        memories: ids.map((id, index) => extracted(`Fact ${index}`, { sourceMessageIds: [id] })),
      }),
    });
    await createThread(context, { threadId: 't' });
    const messages: NewMessage[] = ids.map((id) => ({ id, role: 'user', content: 'I like tea' }));
    const { extraction } = await addMessages(context, 't', { messages });
    expect(extraction).not.toHaveProperty('reason');
    const lines = llm.calls[0]?.messages[1]?.content.split('\n').filter((line) => line.startsWith('{"id"'));
    expect(lines?.map((line) => JSON.parse(line).id)).toEqual(ids);
    const sources = store
      .records()
      .filter(({ family }) => family === 'memory')
      .map(({ record }) => record.metadata.$agent_memory);
    expect(sources).toMatchObject(ids.map((id) => ({ sourceMessageIds: [id] })));
  });

  it('has ids of what the prompt shows alone: others are removed, also when they exist', async () => {
    const past = Array.from({ length: 25 }, (_, index) => `past-${index}`);
    const { context, store, llm } = createTestContext({
      script: extractionScript({
        memories: [extracted('User rows', { sourceMessageIds: ['m1'], supersedes: past })],
      }),
    });
    await createThread(context, {
      threadId: 't',
      userId: 'u',
      agentId: 'a',
      extraction: { memoryExtractionWindow: 1 },
    });
    for (const memoryId of past) {
      await addMemory(context, { memoryId, content: `User owns ${memoryId}`, userId: 'u', agentId: 'a' });
    }
    const messages: NewMessage[] = ['m1', 'm2'].map((id) => ({ id, role: 'user', content: 'I row' }));
    const { extraction } = await addMessages(context, 't', { messages });
    const shown = past.filter((id) => llm.calls[0]?.messages[1]?.content.includes(`"id":"${id}"`));
    expect(shown.length).toBeLessThan(25);
    const memories = store.records().filter(({ family }) => family === 'memory');
    expect(memories.filter(({ record }) => record.status === 'superseded').map((m) => m.record.id)).toEqual(
      shown,
    );
    expect(memories.at(-1)?.record.metadata.$agent_memory).toMatchObject({ sourceMessageIds: ['m2'] });
    expect(extraction.reason?.detail).toContain(`${1 + past.length - shown.length} unknown ids removed`);
  });

  it('counts in the job what of the answer could not be used', async () => {
    const { context } = createTestContext({
      script: extractionScript({
        memories: [
          extracted('User likes tea', { sourceMessageIds: ['nobody'], supersedes: ['nothing', 'none'] }),
          extracted('...'),
          { ...extracted('An episode'), type: 'episode' },
        ],
      }),
    });
    await createThread(context, { threadId: 't' });
    const messages: NewMessage[] = [{ id: 'm1', role: 'user', content: 'I like tea' }];
    const { extraction } = await addMessages(context, 't', { messages });
    const reason = {
      code: 'unusable_items',
      detail: expect.stringMatching(/2 items were dropped, 3 unknown ids removed/),
    };
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)], reason });
    expect(await getJob(context, extraction.jobId ?? '')).toMatchObject({ status: 'succeeded', reason });
  });
});
