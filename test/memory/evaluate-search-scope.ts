import type { SearchScopeObject } from '../../lib/schemas/search.ts';

/** Whose a record is; null = not tied in that dimension. */
export interface Owners {
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly threadId: string | null;
}

/** The levels at which a search starts (contract §5). */
export type Level = 'thread' | 'client' | 'store';

/** What each matching dimension that is not exact does to a distance (contract D6). */
const BOOST = 0.95;

const FLAGS = {
  userId: 'exactUserMatch',
  agentId: 'exactAgentMatch',
  threadId: 'exactThreadMatch',
} as const satisfies Record<keyof Owners, keyof SearchScopeObject>;
const FIELDS = ['userId', 'agentId', 'threadId'] as const;

/** What is asked for in one dimension; an undefined value is none. */
interface Wanted {
  readonly field: keyof Owners;
  readonly value: string | null | undefined;
  readonly exact: boolean;
}

/** The field that is named when the client level refuses a request (contract §5). */
export function refusedField(level: Level, request: SearchScopeObject): keyof SearchScopeObject | undefined {
  if (level !== 'client') return undefined;
  if (request.userId === undefined) return 'userId';
  return request.exactUserMatch === false ? 'exactUserMatch' : undefined;
}

/** The layer defaults of contract §5, read literally. `own` are the ids of the thread that is searched from. */
function wantedOf(level: Level, request: SearchScopeObject, own: Owners): readonly Wanted[] {
  const exactByDefault: Readonly<Record<Level, readonly (keyof Owners)[]>> = {
    thread: ['userId', 'agentId'],
    client: ['userId'],
    store: [],
  };
  return FIELDS.map((field) => {
    const given = request[field];
    return {
      field,
      value: given === undefined && level === 'thread' ? own[field] : given,
      exact: request[FLAGS[field]] ?? exactByDefault[level].includes(field),
    };
  });
}

/** The factor on the distance of a record, or undefined when the request leaves it out. */
export function scopeFactorOf(
  level: Level,
  request: SearchScopeObject,
  own: Owners,
  record: Owners,
): number | undefined {
  let factor = 1;
  for (const { field, value, exact } of wantedOf(level, request, own)) {
    if (value === undefined) continue;
    if (value === record[field]) factor *= exact ? 1 : BOOST;
    else if (exact) return undefined;
  }
  return factor;
}

/** A request of the store's level that shows the same records and boosts none. */
export function withoutBoosts(level: Level, request: SearchScopeObject, own: Owners): SearchScopeObject {
  const exact = wantedOf(level, request, own).filter((wanted) => wanted.exact && wanted.value !== undefined);
  return Object.fromEntries(
    exact.flatMap(({ field, value }) => [
      [field, value],
      [FLAGS[field], true],
    ]),
  );
}
