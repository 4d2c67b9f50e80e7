import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import { joinCases } from './join-cases.ts';
import { BATCH_CASES } from './memory-batch-cases.ts';
import { CARD_CASES } from './memory-card-cases.ts';
import { CASCADE_CASES } from './memory-cascade-cases.ts';
import { CONTEXT_CASES } from './memory-context-cases.ts';
import { EXTRACTION_CASES } from './memory-extraction-cases.ts';
import { FILTER_CASES } from './memory-filter-cases.ts';
import { AUDIT_CASES, EXPORT_CASES, HISTORY_CASES } from './memory-governance-cases.ts';
import { IDEMPOTENCY_CASES } from './memory-idempotency-cases.ts';
import { MEMORY_JOB_CASES } from './memory-job-cases.ts';
import { LIST_CASES } from './memory-list-cases.ts';
import { MESSAGE_CASES } from './memory-message-cases.ts';
import { MESSAGE_CHANGE_CASES } from './memory-message-change-cases.ts';
import { PAYLOAD_CASES } from './memory-payload-cases.ts';
import { RECORD_CASES } from './memory-record-cases.ts';
import { SEARCH_CASES } from './memory-search-cases.ts';
import { SETTING_CASES } from './memory-setting-cases.ts';
import type { MemoryStage } from './memory-stage.ts';
import { STORE_LEVEL_CASES } from './memory-store-level-cases.ts';
import { THREAD_CASES } from './memory-thread-cases.ts';
import { THREAD_CHANGE_CASES } from './memory-thread-change-cases.ts';
import { UPDATE_CASES } from './memory-update-cases.ts';
import { WAIT_CASES } from './memory-wait-cases.ts';
import { WRITE_CASES } from './memory-write-cases.ts';

/** A case that a target is known to fail. It runs all the same, and the run fails when it passes. */
export interface MemoryException {
  readonly test: string;
  readonly reason: string;
}

/** Makes a client with vector search, the rule-based model and no job queue. Its store may hold other records. */
export type MakeMemory = () => Promise<AgentMemoryApi>;

const CASES = joinCases(
  THREAD_CASES,
  THREAD_CHANGE_CASES,
  WRITE_CASES,
  MESSAGE_CASES,
  MESSAGE_CHANGE_CASES,
  RECORD_CASES,
  UPDATE_CASES,
  LIST_CASES,
  CASCADE_CASES,
  SEARCH_CASES,
  FILTER_CASES,
  CONTEXT_CASES,
  CARD_CASES,
  SETTING_CASES,
  EXTRACTION_CASES,
  MEMORY_JOB_CASES,
  WAIT_CASES,
  IDEMPOTENCY_CASES,
  BATCH_CASES,
  PAYLOAD_CASES,
  STORE_LEVEL_CASES,
  HISTORY_CASES,
  AUDIT_CASES,
  EXPORT_CASES,
);

/** What the API must do in the process, over HTTP and in a Worker. `exceptions` name cases that fail and why. */
export function memoryCases(
  name: string,
  make: MakeMemory,
  exceptions: readonly MemoryException[] = [],
): void {
  describe(`the memory API over ${name}`, () => {
    let memory: AgentMemoryApi;
    const run = crypto.randomUUID().slice(0, 8);
    beforeAll(async () => {
      memory = await make();
    });
    afterAll(() => memory?.close());

    for (const [index, [title, runCase]] of Object.entries(CASES).entries()) {
      const stage = (): MemoryStage => ({ memory, id: (wanted) => `${run}-${index}-${wanted}` });
      const exception = exceptions.find((each) => each.test === title);
      if (exception === undefined) it(title, () => runCase(stage()));
      else it.fails(`${title} (not yet: ${exception.reason})`, () => runCase(stage()));
    }

    it('knows every case that is excepted', () => {
      const unknown = exceptions.filter((exception) => !(exception.test in CASES));
      expect(unknown).toEqual([]);
    });
  });
}
