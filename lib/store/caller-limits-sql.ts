import { type CallerLimits, isLimited } from '../schemas/caller-limits.ts';
import { type Binds, clob, json } from '../sql/bind.ts';
import type { RecordFamily } from './records/stored-record.ts';
import type { StoreContext } from './store-context.ts';

/** A condition to put behind others, ` AND …`, unless it says otherwise, with what it binds; empty for a caller without limits. */
export interface LimitSql {
  readonly sql: string;
  readonly binds: Binds;
}

type Dimension = 'user' | 'agent' | 'thread';

const DIMENSIONS: readonly Dimension[] = ['user', 'agent', 'thread'];
const NO_LIMIT: LimitSql = { sql: '', binds: {} };
const NOTHING = '1 = 0';

function listOf(limits: CallerLimits, dimension: Dimension): readonly string[] | undefined {
  return limits[`${dimension}s`];
}

/** True for a value in the list of a dimension. One text for a list of any length. */
function isAllowed(dimension: Dimension, expression: string): string {
  const list = `JSON_TABLE(:allowed_${dimension}s, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$'))`;
  return `${expression} IN (SELECT l.allowed_id FROM ${list} l)`;
}

/** The dimensions that a text has conditions for: those that are limited, and all where texts are fixed. */
function dimensionsOf({ limits = {}, transport }: StoreContext): readonly Dimension[] {
  if (transport.capabilities.fixedStatements) return DIMENSIONS;
  return DIMENSIONS.filter((dimension) => listOf(limits, dimension) !== undefined);
}

function joined(context: StoreContext, condition: string): LimitSql {
  const used = DIMENSIONS.filter((dimension) => condition.includes(`:allowed_${dimension}s`));
  const binds = used.map((dimension) => {
    const list = listOf(context.limits ?? {}, dimension);
    return [`allowed_${dimension}s`, list === undefined ? clob(null) : json(list)] as const;
  });
  return { sql: ` AND ${condition}`, binds: Object.fromEntries(binds) };
}

/** True where each limited dimension has a value of its list, so never where it is NULL. */
function scopedCondition(context: StoreContext, alias: string): string {
  const { fixedStatements } = context.transport.capabilities;
  const conditions = dimensionsOf(context).map((dimension) => {
    const allowed = isAllowed(dimension, `${alias}.${dimension}_id`);
    return fixedStatements ? `(:allowed_${dimension}s IS NULL OR ${allowed})` : allowed;
  });
  return conditions.join(' AND ');
}

/** True for the profile of a user, or an agent, of the list: without a list of its kind there is none. */
function profileCondition(context: StoreContext, alias: string, actor: 'user' | 'agent'): string {
  return dimensionsOf(context).includes(actor) ? isAllowed(actor, `${alias}.record_id`) : NOTHING;
}

function anyRecordCondition(context: StoreContext, alias: string): string {
  const profiles = (['user', 'agent'] as const).filter((actor) => dimensionsOf(context).includes(actor));
  const conditions = profiles.map(
    (actor) => `${alias}.record_family = '${actor}_profile' AND ${profileCondition(context, alias, actor)}`,
  );
  return `(${[scopedCondition(context, alias), ...conditions].join(' OR ')})`;
}

/** What a caller may see of the threads `alias`. */
export function threadLimits(context: StoreContext, alias: string): LimitSql {
  if (!isLimited(context.limits ?? {})) return NO_LIMIT;
  return joined(context, scopedCondition(context, alias));
}

/** What a caller may see of the jobs `alias`: those of the threads that they may see. */
export function jobLimits(context: StoreContext, alias: string): LimitSql {
  if (!isLimited(context.limits ?? {})) return NO_LIMIT;
  return joined(
    context,
    `EXISTS (SELECT 1 FROM ${context.names.thread} v
    WHERE v.thread_id = ${alias}.thread_id AND ${scopedCondition(context, 'v')})`,
  );
}

/**
 * What a caller may see of the records or retrieval rows `alias`. Profiles have no owner and count by their own id.
 *
 * @param family Of the records that the statement is about, where it is known: a shorter condition
 */
export function recordLimits(context: StoreContext, alias: string, family?: RecordFamily): LimitSql {
  if (!isLimited(context.limits ?? {})) return NO_LIMIT;
  if (family === undefined || context.transport.capabilities.fixedStatements) {
    return joined(context, anyRecordCondition(context, alias));
  }
  if (family === 'user_profile') return joined(context, profileCondition(context, alias, 'user'));
  if (family === 'agent_profile') return joined(context, profileCondition(context, alias, 'agent'));
  return joined(context, scopedCondition(context, alias));
}

/** 1 when thread `alias` has messages that the caller may not see, expired ones included, else 0; with what it binds. */
export function hasHiddenMessages(context: StoreContext, alias: string): LimitSql {
  const shown = recordLimits(context, 'g', 'message');
  if (shown.sql === '') return { sql: '0', binds: {} };
  const hidden = `SELECT 1 FROM ${context.names.record} h
    WHERE h.thread_id = ${alias}.thread_id AND h.record_family = 'message'
      AND NOT EXISTS (SELECT 1 FROM ${context.names.record} g
        WHERE g.record_family = 'message' AND g.record_id = h.record_id${shown.sql})`;
  return { sql: `CASE WHEN EXISTS (${hidden}) THEN 1 ELSE 0 END`, binds: shown.binds };
}
