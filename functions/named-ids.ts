import type { CallerLimits } from '../lib/schemas/caller-limits.ts';
import { outsideLimits } from '../lib/store/caller-limits.ts';

/** A user, agent or thread that a request names; null names what belongs to none. */
export interface NamedId {
  readonly list: keyof CallerLimits;
  readonly field: string;
  readonly value: string | null;
}

const LIST_OF_FIELD: Readonly<Record<string, keyof CallerLimits>> = {
  userId: 'users',
  userIds: 'users',
  agentId: 'agents',
  agentIds: 'agents',
  threadId: 'threads',
  threadIds: 'threads',
};
const LIST_OF_PROFILE: Readonly<Record<string, keyof CallerLimits>> = {
  user_profile: 'users',
  agent_profile: 'agents',
};
/** The caller's own data, whose names mean nothing here. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'metadataFilter']);

/**
 * Every user, agent and thread that a part of a request names, however deep: by the names of its fields, so that an operation
 * cannot forget one. A profile is named by its record id.
 */
export function namedIds(part: unknown): readonly NamedId[] {
  if (Array.isArray(part)) return part.flatMap(namedIds);
  if (typeof part !== 'object' || part === null) return [];
  const fields = Object.entries(part).filter(([field]) => !OPAQUE.has(field));
  const profileList = LIST_OF_PROFILE[String(Object(part).recordType)];
  return fields.flatMap(([field, value]) => {
    const isProfileId = field === 'recordId' || field === 'recordIds';
    const list = isProfileId ? profileList : LIST_OF_FIELD[field];
    return list === undefined
      ? namedIds(value)
      : valuesOf(value).map((each) => ({ list, field, value: each }));
  });
}

function valuesOf(value: unknown): readonly (string | null)[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each === null || typeof each === 'string');
}

/**
 * @throws AgentMemoryError `forbidden` naming the first field that names something outside the limits (HTTP API contract,
 * Callers)
 */
export function requireNamedInLimits(limits: CallerLimits, named: readonly NamedId[]): void {
  const outside = named.find(({ list, value }) => {
    const allowed = limits[list];
    return allowed !== undefined && (value === null || !allowed.includes(value));
  });
  if (outside !== undefined) throw outsideLimits(outside.field);
}
