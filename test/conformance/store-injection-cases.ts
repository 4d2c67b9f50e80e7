import { expect } from 'vitest';
import {
  extractionOutcome,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  storeSearch,
} from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import { readJobs, rowCounts, type StoreCase } from './store-stage.ts';

const ATTACKS: readonly string[] = [
  "'; DROP TABLE MEMORY_RECORD; --",
  "' OR '1'='1",
  '") ; DELETE FROM MEMORY_THREAD; --',
  "x' UNION SELECT job_id FROM MEMORY_JOB --",
  ':thread_id',
  '&prefix',
  'END; BEGIN DELETE FROM MEMORY_CHUNK; END;',
  ' $.a?(@ == "x")',
  '\\u0027 OR 1=1',
  "q'[x]'",
  '/* x */ -- y',
  '} ACCUM {x',
  '%',
  '{{7*7}} $x',
  '\n/\n@evil\n',
];

/** Text of callers stays text wherever it goes. */
export const INJECTION_CASES: Readonly<Record<string, StoreCase>> = {
  'text of callers is never read as SQL': async (stage) => {
    const { store } = stage;
    for (const text of ATTACKS) {
      const id = text.replaceAll('\n', ' ');
      await store.createThread(
        newThread(id, { userId: id, agentId: id, metadata: { [text]: { [text]: text } } }),
      );
      const message = newMessage(id, {
        role: id.slice(0, 30),
        content: text,
        metadata: { [text]: text },
        chunks: [chunkAt(10, text)],
      });
      const job = { jobId: id, leaseToken: id };
      expect(await store.appendMessages(messageAppend(id, [message], job))).toEqual({ job: 'running' });
      const reason = { code: id.slice(0, 40), detail: text };
      const outcome = extractionOutcome(id, id, {
        status: 'failed',
        reason,
        memories: [newRecord(id, { content: text, metadata: { [text]: text }, chunks: [chunkAt(20, text)] })],
        supersededIds: [text],
        summary: { text, uptoSequence: 1 },
      });
      expect(await store.finishExtraction(outcome)).toBe('written');
      expect(await store.getThread(id)).toMatchObject({
        userId: id,
        agentId: id,
        runningSummary: text,
        metadata: { [text]: { [text]: text } },
      });
      expect((await store.getMessages(id, { limit: 5 }))?.messages).toMatchObject([
        { id, role: id.slice(0, 30), content: text, metadata: { [text]: text } },
      ]);
      expect(await readJobs(stage, id)).toMatchObject([
        { reason_detail: text, message_ids: [id], memory_ids: [id] },
      ]);
      expect(await store.getRecord('memory', id)).toMatchObject({ content: text });
    }
    const count = ATTACKS.length;
    expect(await rowCounts(stage)).toEqual({
      thread: count,
      record: 2 * count,
      chunk: 2 * count,
      job: count,
    });
  },
  'text of callers is never read as SQL in searches': async (stage) => {
    const { store } = stage;
    for (const [index, text] of ATTACKS.entries()) {
      const metadata = { [text]: text, nested: { [text]: [text] } };
      const chunks = [chunkAt(index, text)];
      await store.addRecord(newRecord(text, { userId: text, agentId: text, metadata, chunks }), undefined);
    }
    for (const text of ATTACKS) {
      const exact = { kind: 'exact', value: text } as const;
      const filters = [{ [text]: text }, { nested: { [text]: { $array_contains: text } } }];
      for (const metadataFilter of filters) {
        const scope = {
          user: exact,
          agent: { ...exact, kind: 'boost' },
          thread: { kind: 'unfiltered' },
        } as const;
        const hits = await store.search(storeSearch({ scope, metadataFilter }));
        expect(hits?.map((hit) => hit.record.id)).toEqual([text]);
      }
      await store.search(storeSearch({ query: { strategy: 'keyword', text } }));
      expect(await store.search(storeSearch({ threadId: text }))).toBeUndefined();
      expect(await store.getThread(text)).toBeUndefined();
    }
    expect(await rowCounts(stage)).toMatchObject({ record: ATTACKS.length, chunk: ATTACKS.length });
  },
};
