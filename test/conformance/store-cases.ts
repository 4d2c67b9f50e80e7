import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import { type CountingTransport, withCounting } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { DIMENSIONS, NO_RETENTION } from '../store/store-samples.ts';
import { joinCases } from './join-cases.ts';
import { BATCH_CASES } from './store-batch-cases.ts';
import { CASCADE_CASES } from './store-cascade-cases.ts';
import { CUT_CASES } from './store-cut-cases.ts';
import { EDIT_CASES } from './store-edit-cases.ts';
import { EXTRACTION_CASES } from './store-extraction-cases.ts';
import { FILTER_CASES } from './store-filter-cases.ts';
import { HYBRID_CASES } from './store-hybrid-cases.ts';
import { INDEX_CASES } from './store-index-cases.ts';
import { INJECTION_CASES } from './store-injection-cases.ts';
import { JOB_CAPACITY_CASES } from './store-job-capacity-cases.ts';
import { JOB_CASES } from './store-job-cases.ts';
import { JOB_CHANGE_CASES } from './store-job-change-cases.ts';
import { JOB_LIFECYCLE_CASES } from './store-job-lifecycle-cases.ts';
import { JOB_READ_CASES } from './store-job-read-cases.ts';
import { JOB_SWEEP_CASES } from './store-job-sweep-cases.ts';
import { LIST_CASES } from './store-list-cases.ts';
import { MESSAGE_CASES } from './store-message-cases.ts';
import { QUERY_TEXT_CASES } from './store-query-text-cases.ts';
import { RECORD_CASES } from './store-record-cases.ts';
import { REMOVAL_CASES } from './store-removal-cases.ts';
import { RETENTION_CASES } from './store-retention-cases.ts';
import { SCOPE_CASES } from './store-scope-cases.ts';
import { SEARCH_CASES } from './store-search-cases.ts';
import { emptyTables, type StoreStage } from './store-stage.ts';
import { THREAD_CASES } from './store-thread-cases.ts';
import { THREAD_LIST_CASES } from './store-thread-list-cases.ts';
import { UPDATE_CASES } from './store-update-cases.ts';

/** A case that the store is known to fail over a transport. It runs all the same, and the run fails when it passes. */
export interface StoreException {
  readonly test: string;
  readonly reason: string;
}

/** Makes a transport to installed tables that the cases may empty: vectors of `DIMENSIONS`, with the text index. */
export type MakeStoreTransport = () => Promise<{
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
}>;

const CASES = joinCases(
  THREAD_CASES,
  THREAD_LIST_CASES,
  MESSAGE_CASES,
  JOB_CASES,
  JOB_READ_CASES,
  JOB_CHANGE_CASES,
  JOB_LIFECYCLE_CASES,
  JOB_CAPACITY_CASES,
  JOB_SWEEP_CASES,
  EDIT_CASES,
  RECORD_CASES,
  UPDATE_CASES,
  LIST_CASES,
  BATCH_CASES,
  CASCADE_CASES,
  SEARCH_CASES,
  CUT_CASES,
  QUERY_TEXT_CASES,
  HYBRID_CASES,
  REMOVAL_CASES,
  RETENTION_CASES,
  SCOPE_CASES,
  FILTER_CASES,
  EXTRACTION_CASES,
  INDEX_CASES,
  INJECTION_CASES,
);

/** What the store must do, whatever transport is under it. `exceptions` name cases that fail and why. */
export function storeCases(
  name: string,
  make: MakeStoreTransport,
  exceptions: readonly StoreException[] = [],
): void {
  describe(`the store over ${name}`, () => {
    let transport: SqlTransport;
    let names: SchemaNames;
    beforeAll(async () => {
      ({ transport, names } = await make());
    });
    beforeEach(() => emptyTables(transport, names));
    afterAll(() => transport?.close());

    for (const [title, run] of Object.entries(CASES)) {
      const exception = exceptions.find((each) => each.test === title);
      const runCase = () => run(createStage(withCounting(transport), names));
      if (exception === undefined) it(title, runCase);
      else it.fails(`${title} (not yet: ${exception.reason})`, runCase);
    }
    it('has no exception for a case that does not exist', () => {
      expect(exceptions.filter((exception) => !(exception.test in CASES))).toEqual([]);
    });
  });
}

function createStage(transport: CountingTransport, names: SchemaNames): StoreStage {
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  const reopen: StoreStage['reopen'] = (changes) =>
    createMemoryStore({ transport, names, settings: { ...settings, ...changes } });
  return { store: reopen({}), transport, names, reopen };
}
