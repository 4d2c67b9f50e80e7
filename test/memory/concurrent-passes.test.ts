import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMessages } from '../../lib/memory/messages.ts';
import { createThread } from '../../lib/memory/threads.ts';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { AddMessagesResponse } from '../../lib/schemas/message.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { createScriptedLlm, type ScriptedAnswer, type ScriptedLlm } from '../../lib/testing/index.ts';
import { openEmulatedMemory } from './emulated-memory.ts';
import { createTestContext, extracted } from './test-context.ts';

/** A model whose extractions are answered together, when as many as there are answers have been asked for. */
function createMeetingLlm(): { readonly llm: ScriptedLlm; meet(answers: readonly ScriptedAnswer[]): void } {
  let answers: readonly ScriptedAnswer[] = [];
  let waiting: (() => void)[] = [];
  const llm = createScriptedLlm(async ({ purpose }) => {
    if (purpose !== 'memory_extraction') return { summary: 'A summary.' };
    const place = waiting.length;
    const all = answers;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === all.length) for (const go of waiting) go();
    });
    return all[place] ?? '';
  });
  return {
    llm,
    meet(next) {
      answers = next;
      waiting = [];
    },
  };
}

const answer = (...contents: readonly string[]) => ({
  memories: contents.map((content) => extracted(content)),
});

interface Stage {
  readonly memory: AgentMemoryApi;
  readonly meet: (answers: readonly ScriptedAnswer[]) => void;
  readonly llm: ScriptedLlm;
  close(): Promise<void>;
}

const STAGES: Readonly<Record<string, () => Promise<Stage>>> = {
  'the in-memory store': async () => {
    const { llm, meet } = createMeetingLlm();
    const { memory } = createTestContext({ context: { llm } });
    return { memory, llm, meet, close: () => memory.close() };
  },
  'the emulator': async () => {
    const { llm, meet } = createMeetingLlm();
    const { memory } = await openEmulatedMemory(llm);
    return { memory, llm, meet, close: () => memory.close() };
  },
};

describe.each(Object.entries(STAGES))(
  'two passes of one user and agent at once, over %s (contract §8.4)',
  (_name, open) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage?.close());

    /** Passes in these threads that all read what is known before any of them writes. */
    async function runTogether(
      userId: string,
      threadIds: readonly string[],
      answers: readonly ScriptedAnswer[],
    ): Promise<readonly AddMessagesResponse[]> {
      const threads = new Map<string, Awaited<ReturnType<AgentMemoryApi['createThread']>>>();
      for (const threadId of new Set(threadIds)) {
        const owners = { userId, agentId: 'agent' };
        threads.set(
          threadId,
          await stage.memory.createThread({ threadId: `${userId} ${threadId}`, ...owners }),
        );
      }
      stage.meet(answers);
      return Promise.all(
        threadIds.map(async (threadId) => {
          const said = await threads.get(threadId)?.addMessages([{ role: 'user', content: 'I moved.' }]);
          return said ?? expect.fail('there is no thread');
        }),
      );
    }

    async function contents(userId: string): Promise<readonly (string | null)[]> {
      const { items } = await stage.memory.listMemories({ userId });
      return items.map(({ content }) => content).sort();
    }

    it.each([
      ['one thread', ['a', 'a']],
      ['two threads', ['a', 'b']],
    ])('store the same statement once, of %s', async (name, threadIds) => {
      const asked = stage.llm.calls.length;
      const answers = await runTogether(`same ${name}`, threadIds, [
        answer('User lives in Lisbon', 'User has two cats'),
        answer('USER lives in  Lisbon.', 'User plays chess'),
      ]);
      expect(answers.map(({ extraction }) => extraction.status)).toEqual(['completed', 'completed']);
      const stored = await contents(`same ${name}`);
      expect(stored).toHaveLength(3);
      expect(stored.filter((content) => /lisbon/i.test(content ?? ''))).toHaveLength(1);
      expect(stored).toEqual(expect.arrayContaining(['User has two cats', 'User plays chess']));
      const told = answers.flatMap(({ extraction }) => extraction.memoryIds ?? []);
      expect(new Set(told).size).toBe(3);
      for (const id of told) expect(await stage.memory.getMemory(id)).toMatchObject({ status: 'active' });
      const purposes = stage.llm.calls.slice(asked).map(({ purpose }) => purpose);
      expect(purposes.filter((purpose) => purpose === 'memory_extraction')).toHaveLength(2);
    });

    it('store another wording once', async () => {
      await runTogether(
        'wording',
        ['a', 'b'],
        [answer('User lives in Lisbon'), answer('The user resides in Lisbon')],
      );
      expect(await contents('wording')).toHaveLength(1);
    });

    it('store all of twelve, each statement once', async () => {
      const owned = ['a car', 'a boat', 'a horse', 'a harp', 'a kiln', 'a loom', 'a drum', 'a sled'];
      const done = ['bakes bread', 'sails', 'reads poems', 'paints'];
      const own = [...owned.map((thing) => `User owns ${thing}`), ...done.map((verb) => `User ${verb}`)];
      const answers = await runTogether(
        'twelve',
        own.map((_, index) => `thread ${index}`),
        own.map((statement) => answer('User lives in Lisbon', statement)),
      );
      expect(answers.map(({ extraction }) => extraction.status)).toEqual(own.map(() => 'completed'));
      expect(await contents('twelve')).toEqual([...own, 'User lives in Lisbon'].sort());
    });

    it('supersede a memory once', async () => {
      const old = await stage.memory.addMemory('User lives in Porto', {
        userId: 'moved',
        agentId: 'agent',
        memoryType: 'fact',
      });
      const moved = { memories: [extracted('User lives in Lisbon', { supersedes: [old] })] };
      await runTogether('moved', ['a', 'b'], [moved, moved]);
      expect(await contents('moved')).toEqual(['User lives in Lisbon']);
      expect(await stage.memory.getMemory(old)).toMatchObject({ status: 'superseded' });
    });
  },
);

describe('a pass that others overtake again and again', () => {
  /** A pass before each of whose writes somebody else adds a memory, `times` times. */
  async function overtake(times: number) {
    const fakes = createTestContext({ script: () => answer('User lives in Lisbon', 'User has two cats') });
    const { store } = fakes;
    let added = 0;
    const finishExtraction: MemoryStore['finishExtraction'] = async (outcome) => {
      const [first] = outcome.memories;
      if (first !== undefined && added < times) {
        added += 1;
        const content = added === 1 ? 'User has two cats' : `User knows ${added} languages`;
        await store.addRecord({ ...first, id: `added ${added}`, content }, undefined);
      }
      return store.finishExtraction(outcome);
    };
    const context = { ...fakes.context, store: { ...store, finishExtraction } };
    await createThread(context, { threadId: 't', userId: 'u', agentId: 'a' });
    const { extraction } = await addMessages(context, 't', {
      messages: [{ role: 'user', content: 'I moved.' }],
    });
    return { ...fakes, extraction };
  }

  it('compares with what was added, asks no model again and embeds no text twice', async () => {
    const { extraction, llm, embedder, store } = await overtake(3);
    expect(extraction).toMatchObject({ status: 'completed', memoryIds: [expect.any(String)] });
    expect(await store.getRecord('memory', extraction.memoryIds?.[0] ?? '')).toMatchObject({
      content: 'User lives in Lisbon',
    });
    expect(llm.calls).toHaveLength(1);
    const documents = embedder.calls.filter(({ purpose }) => purpose === 'document');
    const texts = documents.flatMap((call) => call.texts).filter((text) => text !== 'I moved.');
    expect(new Set(texts).size).toBe(texts.length);
    const ofPass = store.calls.filter((name) => name === 'readNewestMemories' || name === 'finishExtraction');
    expect(ofPass).toEqual([
      'finishExtraction',
      'readNewestMemories',
      'finishExtraction',
      'readNewestMemories',
      'finishExtraction',
      'readNewestMemories',
      'finishExtraction',
    ]);
  });

  it('gives up after some time and says so: nothing is stored of it, and it can be retried', async () => {
    const { extraction, store } = await overtake(100);
    expect(extraction).toMatchObject({ status: 'failed', reason: { code: 'unavailable' } });
    expect(await store.getJob(extraction.jobId ?? '')).toMatchObject({ status: 'failed', memoryIds: [] });
    const stored = store.records().filter(({ family }) => family === 'memory');
    expect(stored.map(({ record }) => record.id)).toEqual(stored.map((_, index) => `added ${index + 1}`));
  });
});
