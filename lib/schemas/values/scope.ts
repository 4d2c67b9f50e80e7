import { type ScopeObject, type SearchScopeObject, scopeSchema, searchScopeSchema } from '../search.ts';
import { parseRequest } from '../validation-issues.ts';

/**
 * Owner dimensions (contract §5): each left out, an id, or null for records that have none. Only what was given is a
 * property, since left out and null are different.
 *
 * @example
 * await memory.search('travel', { scope: new Scope({ userId: 'ana' }) });
 */
export class Scope implements ScopeObject {
  declare readonly userId?: string | null;
  declare readonly agentId?: string | null;
  declare readonly threadId?: string | null;

  /** @throws AgentMemoryError `invalid_request` naming the field */
  constructor(fields: ScopeObject = {}) {
    Object.freeze(Object.assign(this, parseRequest(scopeSchema, fields)));
  }
}

/**
 * Whose records a search sees: owner dimensions, each with a flag that makes it exact (contract §5). What is left out
 * takes the default of the layer that searches.
 *
 * @example
 * const scope = new SearchScope({ userId: 'ana', agentId: 'pia', exactAgentMatch: true });
 */
export class SearchScope implements SearchScopeObject {
  declare readonly userId?: string | null;
  declare readonly agentId?: string | null;
  declare readonly threadId?: string | null;
  declare readonly exactUserMatch?: boolean;
  declare readonly exactAgentMatch?: boolean;
  declare readonly exactThreadMatch?: boolean;

  /** @throws AgentMemoryError `invalid_request` naming the field */
  constructor(fields: SearchScopeObject = {}) {
    Object.freeze(Object.assign(this, parseRequest(searchScopeSchema, fields)));
  }
}
