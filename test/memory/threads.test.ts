import { describe, expect, it } from 'vitest';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { resolveExtractionConfig, SDK_EXTRACTION_CONFIG } from '../../lib/memory/extraction-config.ts';
import { addMessages } from '../../lib/memory/messages.ts';
import {
  createThread,
  deleteThread,
  getThread,
  listThreads,
  updateThread,
} from '../../lib/memory/threads.ts';
import { readCursor } from '../../lib/schemas/cursor.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { createTestContext, extracted } from './test-context.ts';

describe('extraction configuration (contract §8.1)', () => {
  it('starts from the defaults of §8.1 and D9', () => {
    expect(resolveExtractionConfig({}, {})).toEqual({
      extractMemories: true,
      extractionMode: 'inline',
      memoryExtractionFrequency: -1,
      memoryExtractionWindow: -1,
      memoryExtractionTokenLimit: 32_000,
      enableContextSummary: true,
      contextSummaryUpdateFrequency: -1,
      memoryExtractionCustomInstructions: null,
      memoryExtractionInheritMessageMetadata: true,
      backgroundExtractionQueueFullBehavior: 'wait_then_drop',
      backgroundExtractionQueuePutTimeoutSeconds: 5,
    });
  });

  it('inherits field by field: thread, then client, then SDK', () => {
    const resolved = resolveExtractionConfig(
      { memoryExtractionWindow: 4, memoryExtractionCustomInstructions: null },
      {
        memoryExtractionWindow: 8,
        memoryExtractionFrequency: 2,
        memoryExtractionCustomInstructions: 'Only food.',
      },
    );
    expect(resolved).toEqual({
      ...SDK_EXTRACTION_CONFIG,
      memoryExtractionWindow: 4,
      memoryExtractionFrequency: 2,
      memoryExtractionCustomInstructions: null,
    });
  });

  it('takes an undefined field as absent', () => {
    const resolved = resolveExtractionConfig(
      { extractMemories: undefined },
      { extractMemories: false, enableContextSummary: undefined },
    );
    expect(resolved.extractMemories).toBe(false);
    expect(resolved.enableContextSummary).toBe(true);
  });
});

describe('createThread (contract §4.1)', () => {
  it('gives omitted ids a generated one each and shows resolved settings (contract §3.2, §4.1)', async () => {
    const { context } = createTestContext();
    const thread = await createThread(context, {});
    expect(new Set([thread.threadId, thread.userId, thread.agentId])).toEqual(
      new Set(['id-1', 'id-2', 'id-3']),
    );
    expect(thread).toMatchObject({
      metadata: {},
      contextCardTokenLimit: 100_000,
      maxMessageTokenLength: 8_000,
      messageShorteningInputTokenLimit: 30_000,
      extraction: { ...SDK_EXTRACTION_CONFIG, enableContextSummary: false },
    });
    expect(await getThread(context, thread.threadId)).toEqual(thread);
  });

  it('keeps what was given', async () => {
    const { context } = createTestContext();
    const given = {
      threadId: 't',
      userId: 'u',
      agentId: 'a',
      metadata: { topic: 'travel' },
      contextCardTokenLimit: -1,
      maxMessageTokenLength: 0,
      messageShorteningInputTokenLimit: 7,
    };
    expect(await createThread(context, given)).toMatchObject(given);
  });

  it('refuses extraction without a language model, naming the field (contract D23)', async () => {
    const { context, store } = createTestContext({ context: { llm: undefined } });
    await expect(createThread(context, {})).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'extraction.extractMemories' }],
    });
    expect(store.calls).toEqual([]);
    await expect(createThread(context, { extraction: { extractMemories: false } })).resolves.toBeDefined();
  });

  it('refuses background extraction as long as there is no queue', async () => {
    const { context } = createTestContext();
    const created = createThread(context, { extraction: { extractionMode: 'background' } });
    await expect(created).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('extraction.extractionMode'),
    });
  });

  it('answers conflict for a taken id (contract D7)', async () => {
    const { context } = createTestContext();
    await createThread(context, { threadId: 't' });
    await expect(createThread(context, { threadId: 't' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already exists'),
    });
  });
});

describe('updateThread (contract §3.2)', () => {
  it('refuses to turn extraction on without a language model, naming the field (contract D23)', async () => {
    const { context, store } = createTestContext({ context: { llm: undefined } });
    await createThread(context, { threadId: 't', extraction: { extractMemories: false } });
    const before = store.calls.length;
    await expect(
      updateThread(context, 't', { metadata: {}, extraction: { extractMemories: true } }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'extraction.extractMemories' }],
    });
    expect(store.calls.slice(before)).toEqual([]);
    const changed = await updateThread(context, 't', { extraction: { memoryExtractionWindow: 3 } });
    expect(changed.extraction).toMatchObject({ extractMemories: false, memoryExtractionWindow: 3 });
  });

  it('does not let a field that is there but undefined count as given', async () => {
    const { context, store } = createTestContext();
    await createThread(context, { threadId: 't' });
    const before = store.calls.length;
    await updateThread(context, 't', { metadata: undefined, extraction: { extractMemories: undefined } });
    expect(store.calls.slice(before)).toEqual(['getThread']);
  });
});

describe('listThreads', () => {
  it('ends a page before the answer grows beyond 5 MiB, and goes on from there', async () => {
    const { context } = createTestContext();
    const metadata = { text: 'é'.repeat(32_000) };
    for (let index = 0; index < 100; index += 1)
      await createThread(context, { threadId: `t${index}`, metadata });
    const first = await listThreads(context, {});
    expect(JSON.stringify(first).length * 2).toBeGreaterThan(4 * 1024 * 1024);
    expect(new TextEncoder().encode(JSON.stringify(first)).length).toBeLessThan(5 * 1024 * 1024);
    const cursor = readCursor('threads', first.nextCursor ?? '');
    const second = await listThreads(context, { cursor });
    expect(first.items.length + second.items.length).toBe(100);
    expect(second.items.at(-1)?.threadId).toBe('t0');
    expect(second.nextCursor).toBeNull();
  });
});

describe('unknown threads (contract D7)', () => {
  it('get is not_found and delete is 0', async () => {
    const { context } = createTestContext();
    await expect(getThread(context, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    expect(await deleteThread(context, 'nobody')).toBe(0);
  });
});

describe('a thread with extraction where no language model is configured (contract §3.2, D23)', () => {
  it('is read, searched and summarised all the same', async () => {
    const { context, llm } = createTestContext({ script: { memory_extraction: [{ memories: [] }] } });
    await createThread(context, { threadId: 't' });
    await addMessages(context, 't', { messages: [{ id: 'm1', role: 'user', content: 'I like tea' }] });
    const calls = llm.calls.length;
    const memory = new AgentMemory({ ...context, llm: undefined });
    const thread = await memory.getThread('t');
    expect(thread.extraction.extractMemories).toBe(true);
    expect(await thread.getMessages()).toMatchObject([{ id: 'm1' }]);
    expect(await thread.search('tea')).toMatchObject([{ id: 'm1' }]);
    expect((await thread.getSummary()).content).toBe('user: I like tea');
    expect((await thread.getContextCard()).recentMessages).toMatchObject([{ id: 'm1' }]);
    expect(await thread.getExtraction()).toMatchObject({ succeeded: 1 });
    expect((await memory.listThreads()).items).toHaveLength(1);
    expect(llm.calls).toHaveLength(calls);
  });
});

describe('close (contract §3.2)', () => {
  it('releases once, however often it is called', async () => {
    const { context } = createTestContext();
    let released = 0;
    const memory = new AgentMemory(context, async () => {
      released += 1;
    });
    await Promise.all([memory.close(), memory.close()]);
    await memory.close();
    expect(released).toBe(1);
  });

  it('takes no further background work, and waits for what was accepted as long as it is told', async () => {
    const { context } = createTestContext();
    const closed: unknown[] = [];
    const jobQueue = {
      send: async () => undefined,
      close: async (options?: object) => void closed.push(options),
    };
    const memory = new AgentMemory({ ...context, jobQueue }, async () => void closed.push('released'));
    await memory.close({ timeoutSeconds: 3 });
    await memory.close({ timeoutSeconds: 9 });
    expect(closed).toEqual([{ timeoutSeconds: 3 }, 'released']);
    await expect(memory.close({ timeoutSeconds: -1 })).rejects.toMatchObject({
      issues: [{ path: 'timeoutSeconds' }],
    });
  });
});

describe('another language model for some calls (contract §3.2)', () => {
  it('extracts in the threads that the client creates, opens and updates with it, and in no others', async () => {
    const { context, llm } = createTestContext({ settings: { extraction: { enableContextSummary: false } } });
    const other = createScriptedLlm(() => ({ memories: [extracted('User likes tea.')] }));
    const memory = new AgentMemory({ ...context, llm: undefined });
    await expect(memory.createThread()).rejects.toMatchObject({ code: 'invalid_request' });
    const created = await memory.withLlm(other).createThread({ threadId: 'one' });
    const opened = await memory.withLlm(other).getThread('one');
    const updated = await memory.withLlm(other).updateThread('one', { metadata: { a: 1 } });
    for (const thread of [created, opened, updated]) {
      const { extraction } = await thread.addMessages([{ role: 'user', content: 'I like tea.' }]);
      expect(extraction.status).toBe('completed');
    }
    const plain = await memory.getThread('one');
    expect((await plain.addMessages([{ role: 'user', content: 'Tea.' }])).extraction).toMatchObject({
      status: 'failed',
      reason: { code: 'unsupported' },
    });
    expect([other.calls.length, llm.calls.length]).toEqual([3, 0]);
  });
});
