import { expect, test } from 'vitest';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { withRetry } from '../../lib/models/retry.ts';
import { createManualClock, createScriptedLlm } from '../../lib/testing/index.ts';

const call = { purpose: 'context_summary', messages: [], responseJsonSchema: {} } as const;
const down = new AgentMemoryError('unavailable', 'down');

test('asks the model again after a retryable failure, with doubling jittered waits', async () => {
  const clock = createManualClock();
  const llm = createScriptedLlm({ context_summary: [down, down, down, { summary: 'ok' }] });
  const result = await withRetry(llm, { clock, random: () => 1 }).generate(call);
  expect(result.text).toBe('{"summary":"ok"}');
  expect(clock.sleeps).toEqual([500, 1000, 2000]);
  expect(withRetry(llm).modelId).toBe(llm.modelId);
});

test('leaves a permanent failure alone', async () => {
  const llm = createScriptedLlm({
    context_summary: [new AgentMemoryError('model_failed', 'refused'), 'late'],
  });
  await expect(withRetry(llm).generate(call)).rejects.toMatchObject({ message: 'refused' });
  expect(llm.calls).toHaveLength(1);
});

test('stops waiting when the caller gives up', async () => {
  const clock = createManualClock({ sleepAdvances: false });
  const controller = new AbortController();
  const llm = createScriptedLlm({ context_summary: [down, 'late'] });
  const attempt = withRetry(llm, { clock }).generate({ ...call, signal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.sleeps).toHaveLength(1);
  controller.abort();
  await expect(attempt).rejects.toMatchObject({ code: 'timeout' });
  expect(llm.calls).toHaveLength(1);
});
