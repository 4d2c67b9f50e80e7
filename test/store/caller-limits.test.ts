import { describe, expect, it } from 'vitest';
import { type Call, EVERY_METHOD, LIMITS, limitedStore, OF_CALLERS, OWNERS } from './limited-calls.ts';
import { newMessageRecord, newRecord, newThread, storeSearch } from './store-samples.ts';

describe.each([false, true])('with fixed statements: %s', (fixedStatements) => {
  it.each(Object.entries<Call>(OF_CALLERS))('%s compares with every list of the caller', async (_, call) => {
    const { store, statements } = limitedStore(LIMITS, fixedStatements);
    await call(store);
    const texts = statements.filter(({ name }) => name !== 'threads.create');
    expect(texts.length).toBeGreaterThan(0);
    for (const { sql, binds } of texts) {
      for (const list of ['allowed_users', 'allowed_agents', 'allowed_threads']) {
        expect(sql).toMatch(new RegExp(`(?::|l_)${list}\\b`));
        expect(JSON.parse(String(binds[list]?.value))).toEqual(
          LIMITS[list.replace('allowed_', '') as 'users'],
        );
      }
    }
  });

  it.each(Object.entries<Call>(EVERY_METHOD))('%s says nothing of lists without limits', async (_, call) => {
    const { store, statements } = limitedStore({}, fixedStatements);
    await call(store);
    for (const { sql } of statements) expect(sql).not.toContain('allowed_');
  });

  it.each(Object.entries<Call>(OF_CALLERS))('%s has one text for lists of any length', async (_, call) => {
    const texts = async (users: readonly string[]) => {
      const { store, statements } = limitedStore({ ...LIMITS, users }, fixedStatements);
      await call(store);
      return statements.map(({ sql }) => sql);
    };
    expect(await texts(['user', 'canary', "o'neill"])).toEqual(await texts(['user']));
    expect((await texts(['user', 'canary'])).join()).not.toContain('canary');
  });
});

it('has one text for any combination of limits when statements are fixed', async () => {
  for (const call of Object.values<Call>(OF_CALLERS)) {
    const { store, statements } = limitedStore(LIMITS, true);
    const one = limitedStore({ users: LIMITS.users }, true);
    await call(store);
    await call(one.store);
    expect(one.statements.map(({ sql }) => sql)).toEqual(statements.map(({ sql }) => sql));
  }
});

describe('a new row outside the limits of its writer', () => {
  const profile = { family: 'user_profile', recordType: 'user_profile' } as const;
  const unscoped = { userId: null, agentId: null, threadId: null };
  it.each<[string, Call]>([
    [
      'a thread of another user',
      (it) => it.createThread(newThread('thread', { ...OWNERS, userId: 'other' })),
    ],
    ['another thread', (it) => it.createThread(newThread('other', { ...OWNERS, threadId: 'other' }))],
    [
      'a memory of another user',
      (it) => it.addRecord(newRecord('m', { ...OWNERS, userId: 'other' }), undefined),
    ],
    ['a memory of nobody', (it) => it.addRecord(newRecord('m', { ...OWNERS, userId: null }), 'thread')],
    [
      'a memory without an agent',
      (it) => it.addRecord(newRecord('m', { ...OWNERS, agentId: undefined }), undefined),
    ],
    ['a batch with one of them', (it) => it.addRecords([newRecord('m', OWNERS), newRecord('n', unscoped)])],
    ['a message of nobody', (it) => it.addRecords([newMessageRecord('m', 'thread', { userId: null })])],
    ['a message in another thread', (it) => it.addRecords([newMessageRecord('m', 'other')])],
    [
      'the profile of another user',
      (it) => it.addRecord(newRecord('other', { ...profile, ...unscoped }), undefined),
    ],
  ])('is refused before anything is sent: %s', async (_, call) => {
    const { store, statements } = limitedStore(LIMITS);
    await expect(call(store)).rejects.toMatchObject({ code: 'forbidden' });
    expect(statements).toEqual([]);
  });

  it('a profile in the list of its kind is not', async () => {
    const { store, statements } = limitedStore(LIMITS);
    await store.addRecord(newRecord('user', { ...profile, ...unscoped }), undefined);
    expect(statements).toHaveLength(1);
  });
});

it('asks no vector index for a limited caller, because an index is asked before limits apply', async () => {
  const { store, statements } = limitedStore({ users: ['user'] });
  await store.search(storeSearch());
  expect(statements.map(({ name }) => name)).toEqual(['records.search_by_vector']);
});
