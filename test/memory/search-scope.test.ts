import { describe, expect, it } from 'vitest';
import { resolveSearchScope } from '../../lib/memory/search-scope.ts';
import type { SearchScopeObject } from '../../lib/schemas/search.ts';
import type { ScopeDimension } from '../../lib/store/search/store-search.ts';

const unfiltered: ScopeDimension = { kind: 'unfiltered' };
const own: ScopeDimension = { kind: 'exact_of_thread' };
const ahead: ScopeDimension = { kind: 'boost_of_thread' };
const exact = (value: string | null): ScopeDimension => ({ kind: 'exact', value });
const boost = (value: string | null): ScopeDimension => ({ kind: 'boost', value });

type Row = readonly [SearchScopeObject, ScopeDimension, ScopeDimension, ScopeDimension];

describe('scope of thread.search (contract §5)', () => {
  const rows: readonly Row[] = [
    [{}, own, own, ahead],
    [{ exactUserMatch: true, exactAgentMatch: true, exactThreadMatch: true }, own, own, own],
    [{ exactUserMatch: false }, ahead, own, ahead],
    [{ exactAgentMatch: false }, own, ahead, ahead],
    [{ userId: 'u' }, exact('u'), own, ahead],
    [{ userId: 'u', exactUserMatch: false }, boost('u'), own, ahead],
    [{ userId: null }, exact(null), own, ahead],
    [{ userId: null, exactUserMatch: false }, boost(null), own, ahead],
    [{ agentId: 'a' }, own, exact('a'), ahead],
    [{ agentId: null, exactAgentMatch: false }, own, boost(null), ahead],
    [{ threadId: 't' }, own, own, boost('t')],
    [{ threadId: 't', exactThreadMatch: true }, own, own, exact('t')],
    [{ threadId: null }, own, own, boost(null)],
    [{ threadId: null, exactThreadMatch: true }, own, own, exact(null)],
  ];

  it.each(rows)('%o', (scope, user, agent, thread) => {
    expect(resolveSearchScope(scope, 'thread')).toEqual({ user, agent, thread });
    expect(resolveSearchScope({ scope }, 'thread')).toEqual({ user, agent, thread });
  });
});

describe('scope of client.search (contract §5, D5)', () => {
  const rows: readonly Row[] = [
    [{ userId: 'u' }, exact('u'), unfiltered, unfiltered],
    [{ userId: null }, exact(null), unfiltered, unfiltered],
    [{ userId: 'u', exactUserMatch: true }, exact('u'), unfiltered, unfiltered],
    [{ userId: 'u', agentId: 'a' }, exact('u'), boost('a'), unfiltered],
    [{ userId: 'u', agentId: 'a', exactAgentMatch: true }, exact('u'), exact('a'), unfiltered],
    [{ userId: 'u', agentId: null }, exact('u'), boost(null), unfiltered],
    [{ userId: 'u', agentId: null, exactAgentMatch: true }, exact('u'), exact(null), unfiltered],
    [{ userId: 'u', threadId: 't', exactThreadMatch: false }, exact('u'), unfiltered, boost('t')],
    [{ userId: 'u', threadId: 't', exactThreadMatch: true }, exact('u'), unfiltered, exact('t')],
    [{ userId: 'u', exactAgentMatch: true, exactThreadMatch: true }, exact('u'), unfiltered, unfiltered],
  ];

  it.each(rows)('%o', (scope, user, agent, thread) => {
    expect(resolveSearchScope(scope, 'client')).toEqual({ user, agent, thread });
    expect(resolveSearchScope({ scope }, 'client')).toEqual({ user, agent, thread });
  });

  it.each([
    ['an absent user', {}, 'userId'],
    ['an absent user beside other ids', { agentId: 'a', threadId: 't' }, 'userId'],
    ['an absent user in a scope', { scope: { agentId: 'a' } }, 'scope.userId'],
    ['a user that is not exact', { userId: 'u', exactUserMatch: false }, 'exactUserMatch'],
    ['null that is not exact', { userId: null, exactUserMatch: false }, 'exactUserMatch'],
    [
      'a scope whose user is not exact',
      { scope: { userId: 'u', exactUserMatch: false } },
      'scope.exactUserMatch',
    ],
  ])('refuses %s', (_name, request, path) => {
    expect(() => resolveSearchScope(request, 'client')).toThrow(
      expect.objectContaining({ code: 'invalid_request', issues: [expect.objectContaining({ path })] }),
    );
  });
});

describe('a scope beside ids or flags (contract §6.1)', () => {
  it.each([
    [{ userId: 'u' }],
    [{ agentId: null }],
    [{ threadId: 't' }],
    [{ exactUserMatch: true }],
    [{ exactAgentMatch: false }],
    [{ exactThreadMatch: true }],
  ])('%o is refused', (beside) => {
    for (const layer of ['thread', 'client'] as const) {
      expect(() => resolveSearchScope({ ...beside, scope: { userId: 'u' } }, layer)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          issues: [expect.objectContaining({ path: 'scope' })],
        }),
      );
    }
  });
});
