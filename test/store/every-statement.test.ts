import { expect, it } from 'vitest';
import { createRecordingTransport } from '../../infra/ords/statement-driver/recording-transport.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { everyStatement } from './every-statement.ts';
import {
  DIMENSIONS,
  direction,
  messageAppend,
  NO_RETENTION,
  newMessage,
  newRecord,
  storeSearch,
} from './store-samples.ts';

function recordingStore() {
  const transport = createRecordingTransport();
  const settings = { dimensions: DIMENSIONS, retention: NO_RETENTION };
  return { transport, store: createMemoryStore({ transport, names: createSchemaNames(), settings }) };
}

it('lists every method of the store, and what a service asks beside', async () => {
  const names = new Set((await everyStatement()).map((statement) => statement.name));
  expect([...names].sort()).toEqual([
    'agents.count_cascade',
    'agents.delete_cascade',
    'audit.list',
    'audit.prune',
    'chunks.find_orphans',
    'chunks.purge_orphans',
    'extraction.finish',
    'extraction.finish_with_memories',
    'extraction.finish_with_memories_with_summary',
    'extraction.finish_with_summary',
    'extraction.read_input',
    'extraction.read_input_with_memories',
    'extraction.read_newest_memories',
    'history.find_orphans',
    'history.list',
    'history.purge_orphans',
    'jobs.admit',
    'jobs.cancel',
    'jobs.claim',
    'jobs.claim_due',
    'jobs.end_lost',
    'jobs.find_due',
    'jobs.find_next',
    'jobs.find_old',
    'jobs.get',
    'jobs.list',
    'jobs.mark_woken',
    'jobs.prune',
    'jobs.read_extraction_progress',
    'jobs.read_thread_extraction',
    'jobs.release',
    'jobs.renew_lease',
    'jobs.requeue',
    'messages.after',
    'messages.append',
    'messages.append_without_model',
    'messages.delete',
    'messages.delete_from_thread',
    'messages.edit',
    'messages.edit_fields',
    'messages.edit_without_model',
    'messages.newest',
    'messages.window',
    'records.add',
    'records.add_batch',
    'records.add_from_thread',
    'records.delete',
    'records.delete_from_thread',
    'records.find_expired',
    'records.get',
    'records.list',
    'records.purge_expired',
    'records.search_by_both',
    'records.search_by_both_index',
    'records.search_by_keyword',
    'records.search_by_vector',
    'records.search_by_vector_index',
    'records.update',
    'requests.find',
    'requests.prune',
    'schema.read_state',
    'threads.create',
    'threads.delete',
    'threads.exists',
    'threads.get',
    'threads.list',
    'threads.read_context',
    'threads.save_rebuilt_summary',
    'threads.update',
    'users.count_cascade',
    'users.delete_cascade',
    'users.export_earlier_forms',
    'users.export_records',
    'users.export_retrieval_texts',
    'users.export_threads',
    'users.find_taken_id',
    'users.import',
  ]);
});

it('has one text for any number of messages and any values', async () => {
  const { store, transport } = recordingStore();
  const chunks = [{ text: 'canary', embedding: direction(3) }];
  await store.appendMessages(messageAppend('thread', [newMessage('m')]));
  await store.appendMessages(
    messageAppend(
      'canary',
      Array.from({ length: 500 }, (_, index) =>
        newMessage(`canary ${index}`, {
          role: 'canary',
          content: 'canary',
          metadata: { canary: 'canary' },
          chunks,
        }),
      ),
    ),
  );
  const [one, many] = transport.statements;
  expect(many?.sql).toBe(one?.sql);
  expect(many?.sql).not.toContain('canary');
});

it('binds what a search is given', async () => {
  const { store, transport } = recordingStore();
  const exact = { kind: 'exact', value: 'canary' } as const;
  await store.search(
    storeSearch({
      threadId: 'canary',
      scope: { user: exact, agent: exact, thread: { ...exact, kind: 'boost' } },
      recordTypes: ['fact'],
      metadataFilter: { color: 'canary' },
      query: { strategy: 'keyword', text: 'canary' },
      minimums: { fact: 3 },
    }),
  );
  const [statement] = transport.statements;
  expect(statement?.sql).not.toContain('canary');
  expect(statement?.binds).toEqual({
    word_1: { type: 'clob', value: '{canary} OR {canaries} OR {canaried} OR {canarying}' },
    candidate_total: { type: 'number', value: 200 },
    hit_character_limit: { type: 'number', value: 4_000_000 },
    scope_user: { type: 'text', value: 'canary' },
    scope_agent: { type: 'text', value: 'canary' },
    scope_thread: { type: 'text', value: 'canary' },
    type_1: { type: 'text', value: 'fact' },
    filter_1: { type: 'clob', value: '"canary"' },
    minimum_type_1: { type: 'text', value: 'fact' },
    minimum_1: { type: 'number', value: 3 },
    max_results: { type: 'number', value: 10 },
    boost_factor: { type: 'number', value: 0.95 },
    search_thread: { type: 'text', value: 'canary' },
  });
});

it('sends times with a numeric offset and leaves out what is NULL', async () => {
  const { store, transport } = recordingStore();
  const timestamp = '2026-01-02T03:04:05.678Z';
  await store.addRecord(
    newRecord('memory', { timestamp, ttlDays: 7, userId: null, agentId: 'agent' }),
    undefined,
  );
  expect(JSON.parse(String(transport.statements[0]?.binds.records?.value))).toEqual([
    {
      family: 'memory',
      id: 'memory',
      type: 'memory',
      agentId: 'agent',
      ownThread: 0,
      ownUser: 1,
      ownAgent: 1,
      content: 'content of memory',
      contentEmpty: 0,
      metadata: '{}',
      eventAt: '2026-01-02T03:04:05.678+00:00',
      ttlDays: 7,
    },
  ]);
});

it('spaces the scripts without spaces in retrieval text, not in content', async () => {
  const { store, transport } = recordingStore();
  const content = '我对peanuts过敏 e\u0301';
  const chunks = [{ text: content, embedding: null }];
  await store.addRecord(newRecord('memory', { content, chunks }), undefined);
  const { records, chunks: rows } = transport.statements[0]?.binds ?? {};
  expect(JSON.parse(String(records?.value))).toMatchObject([{ content }]);
  expect(JSON.parse(String(rows?.value))).toEqual([
    { family: 'memory', id: 'memory', number: 1, text: '我 对 peanuts 过 敏 é' },
  ]);
});

it('refuses a thread scope without a thread, as a fault of this program', async () => {
  const { store, transport } = recordingStore();
  const scope = { ...storeSearch().scope, user: { kind: 'exact_of_thread' } as const };
  await expect(store.search(storeSearch({ scope }))).rejects.toMatchObject({ code: 'internal' });
  expect(transport.statements).toEqual([]);
});

it('sends nothing when there is nothing to append', async () => {
  const { store, transport } = recordingStore();
  expect(await store.appendMessages(messageAppend('thread', []))).toEqual({ job: 'none' });
  expect(transport.statements).toEqual([]);
});
