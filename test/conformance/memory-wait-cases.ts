import { expect } from 'vitest';
import { expectError, type MemoryCase, plainThread } from './memory-stage.ts';

/** Waiting for extraction where nothing runs in the background (contract §4.7). */
export const WAIT_CASES: Readonly<Record<string, MemoryCase>> = {
  'a wait for a thread without jobs is over at once (contract §4.7)': async (stage) => {
    const thread = await plainThread(stage);
    expect(await thread.waitForExtraction({ timeoutSeconds: 0 })).toEqual({ succeeded: 0, failed: 0 });
    expect(await thread.waitForExtraction({ timeoutSeconds: null })).toEqual({ succeeded: 0, failed: 0 });
  },

  'a wait counts how the jobs of its thread ended (contract §4.7)': async (stage) => {
    const thread = await plainThread(stage, { extraction: { extractMemories: true } });
    const other = await plainThread(stage, {
      threadId: stage.id('other'),
      extraction: { extractMemories: true },
    });
    await other.addMessages([{ role: 'user', content: 'I row.' }]);
    await thread.addMessages([{ role: 'user', content: 'I like tea.' }]);
    await thread.addMessages([{ role: 'user', content: 'I live in Porto.' }]);
    expect(await thread.waitForExtraction()).toEqual({ succeeded: 2, failed: 0 });
  },

  'a wait for a thread that is gone is not_found': async (stage) => {
    const thread = await plainThread(stage);
    await stage.memory.deleteThread(thread.threadId);
    await expectError(thread.waitForExtraction(), 'not_found');
  },

  'the time of a wait is checked': async (stage) => {
    const thread = await plainThread(stage);
    for (const timeoutSeconds of [-1, 86_401, Number.NaN]) {
      await expectError(thread.waitForExtraction({ timeoutSeconds }), 'invalid_request', 'timeoutSeconds');
    }
  },
};
