import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { SearchScopeObject } from '../schemas/search.ts';
import type { ScopeDimension, StoreSearch } from '../store/search/store-search.ts';
import type { StoredThread } from '../store/threads/stored-thread.ts';

/** Where a search starts: at a thread, or at the client or the store, which have no owner of their own. */
export type SearchLayer = 'thread' | 'client' | 'store';

const SCOPE_FIELDS = [
  'userId',
  'agentId',
  'threadId',
  'exactUserMatch',
  'exactAgentMatch',
  'exactThreadMatch',
] as const satisfies readonly (keyof SearchScopeObject)[];

interface ScopedRequest extends SearchScopeObject {
  readonly scope?: SearchScopeObject | undefined;
}

function chooseScope(request: ScopedRequest): { readonly given: SearchScopeObject; readonly path: string } {
  if (request.scope === undefined) return { given: request, path: '' };
  const explicit = SCOPE_FIELDS.find((field) => request[field] !== undefined);
  if (explicit !== undefined) throw invalidRequest('scope', `cannot be combined with ${explicit}`);
  return { given: request.scope, path: 'scope.' };
}

function resolveGiven(value: string | null, exact: boolean): ScopeDimension {
  return { kind: exact ? 'exact' : 'boost', value };
}

function resolveAtThread(
  value: string | null | undefined,
  flag: boolean | undefined,
  exactByDefault: boolean,
): ScopeDimension {
  const exact = flag ?? exactByDefault;
  if (value !== undefined) return resolveGiven(value, exact);
  return { kind: exact ? 'exact_of_thread' : 'boost_of_thread' };
}

/** Without a value nothing is filtered, whatever the flag says: there is nothing to be exact about. */
function resolveWithoutOwner(value: string | null | undefined, flag: boolean | undefined): ScopeDimension {
  return value === undefined ? { kind: 'unfiltered' } : resolveGiven(value, flag ?? false);
}

function resolveClientUser(given: SearchScopeObject, path: string): ScopeDimension {
  if (given.userId === undefined) {
    throw invalidRequest(`${path}userId`, 'must be given; null searches records without a user');
  }
  if (given.exactUserMatch === false) {
    throw invalidRequest(`${path}exactUserMatch`, 'cannot be false in a search of the client');
  }
  return resolveGiven(given.userId, true);
}

/**
 * Whose records a search sees: fills what was omitted with the layer's defaults (contract §5, D5). Throws
 * `invalid_request` for `scope` beside ids or flags, and at client level for an absent user or a user that is not exact.
 */
export function resolveSearchScope(request: ScopedRequest, layer: SearchLayer): StoreSearch['scope'] {
  const { given, path } = chooseScope(request);
  if (layer !== 'thread') {
    return {
      user:
        layer === 'client'
          ? resolveClientUser(given, path)
          : resolveWithoutOwner(given.userId, given.exactUserMatch),
      agent: resolveWithoutOwner(given.agentId, given.exactAgentMatch),
      thread: resolveWithoutOwner(given.threadId, given.exactThreadMatch),
    };
  }
  return {
    user: resolveAtThread(given.userId, given.exactUserMatch, true),
    agent: resolveAtThread(given.agentId, given.exactAgentMatch, true),
    thread: resolveAtThread(given.threadId, given.exactThreadMatch, false),
  };
}

/** Exactly the thread's user and agent, its own records ahead of other threads' (contract D15). */
export function ownersOf({ userId, agentId, threadId }: StoredThread): StoreSearch['scope'] {
  return {
    user: { kind: 'exact', value: userId },
    agent: { kind: 'exact', value: agentId },
    thread: { kind: 'boost', value: threadId },
  };
}
