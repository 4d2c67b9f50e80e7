import { describe, expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createHashEmbedder, createManualClock, createScriptedLlm } from '../../lib/testing/index.ts';

const call = { purpose: 'memory_extraction', messages: [], responseJsonSchema: {} } as const;

describe('scripted language model', () => {
  test('answers by purpose in order and records the calls', async () => {
    const llm = createScriptedLlm({
      memory_extraction: [{ memories: [] }, 'raw', { text: 'counted', promptTokens: 3, completionTokens: 4 }],
      context_card: ['card'],
    });
    expect((await llm.generate(call)).text).toBe('{"memories":[]}');
    expect((await llm.generate({ ...call, purpose: 'context_card' })).text).toBe('card');
    expect(await llm.generate(call)).toEqual({ text: 'raw', promptTokens: null, completionTokens: null });
    expect(await llm.generate(call)).toEqual({ text: 'counted', promptTokens: 3, completionTokens: 4 });
    expect(llm.calls.map(({ purpose }) => purpose)).toEqual([
      'memory_extraction',
      'context_card',
      'memory_extraction',
      'memory_extraction',
    ]);
  });

  test('fails by name when no answer is left, and throws scripted errors', async () => {
    const llm = createScriptedLlm({ memory_extraction: [new AgentMemoryError('timeout', 'slow')] });
    await expect(llm.generate(call)).rejects.toMatchObject({ code: 'timeout' });
    await expect(llm.generate(call)).rejects.toThrow('no answer 2 for memory_extraction');
  });

  test('may be a function of the call', async () => {
    const llm = createScriptedLlm(async ({ messages }) => [messages.length]);
    expect((await llm.generate(call)).text).toBe('[0]');
  });
});

test('the hash embedder is deterministic, near for shared words, and strict about its limit', async () => {
  const embedder = createHashEmbedder({ limits: { maxInputsPerCall: 3 } });
  const embed = () => embedder.embed({ texts: ['red green', 'red blue', '!?'], purpose: 'document' });
  const [a, b, symbols] = await embed();
  expect([a, b, symbols]).toEqual(await embed());
  const dot = (a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? 0).toFixed(2);
  expect(dot).toBe('0.50');
  expect(Math.hypot(...(symbols ?? []))).toBeCloseTo(1);
  const tooMany = embedder.embed({ texts: ['1', '2', '3', '4'], purpose: 'document' });
  await expect(tooMany).rejects.toMatchObject({ code: 'model_failed' });
});

describe('manual clock', () => {
  test('moves with sleeps by default', async () => {
    const clock = createManualClock({ start: '2026-05-01T00:00:00Z' });
    await clock.sleep(1500);
    expect(clock.now().toISOString()).toBe('2026-05-01T00:00:01.500Z');
  });

  test('wakes sleepers in order of time when it is moved', async () => {
    const clock = createManualClock({ sleepAdvances: false });
    const woken: string[] = [];
    const sleepers = [
      clock.sleep(20).then(() => woken.push('late')),
      clock.sleep(10).then(() => woken.push('early')),
    ];
    clock.advance(9);
    await Promise.resolve();
    expect(woken).toEqual([]);
    clock.advance(11);
    await Promise.all(sleepers);
    expect(woken).toEqual(['early', 'late']);
  });

  test('a cancelled sleep rejects with the reason', async () => {
    const controller = new AbortController();
    const sleep = createManualClock({ sleepAdvances: false }).sleep(10, controller.signal);
    controller.abort(new Error('gone'));
    await expect(sleep).rejects.toThrow('gone');
  });
});

test('the system clock sleeps until it is cancelled', async () => {
  const controller = new AbortController();
  const sleep = systemClock.sleep(60_000, controller.signal);
  controller.abort(new Error('gone'));
  await expect(sleep).rejects.toThrow('gone');
  await expect(systemClock.sleep(0)).resolves.toBeUndefined();
  await expect(systemClock.sleep(0, controller.signal)).rejects.toThrow('gone');
});
