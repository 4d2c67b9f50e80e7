import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number } from '../../sql/bind.ts';
import type { DmlStatement, ResultShape, Row } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { MemoryTally } from './extraction-outcome.ts';

/** The message of the expectation of `requireTally`. */
export const MEMORIES_CHANGED = 'memories of the same user and agent were added or removed meanwhile';

/** Columns of a tally in a result. */
export const TALLY_SHAPE = { memory_total: 'number', position_sum: 'number' } as const satisfies ResultShape;

/** `SELECT` of the one row that counts the memories of the user and the agent of thread `threadId`, a SQL expression. */
export function tallySelect(names: SchemaNames, threadId: string): string {
  return `SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM ${names.thread} o
    JOIN ${names.record} r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = ${threadId} AND r.record_family = 'memory'`;
}

export function decodeTally(statement: string, row: Row<typeof TALLY_SHAPE>): MemoryTally {
  return {
    memoryCount: present(statement, 'memory_total', row.memory_total),
    positionSum: present(statement, 'position_sum', row.position_sum),
  };
}

export function tallyBinds({ memoryCount, positionSum }: MemoryTally): Binds {
  return { memory_total: number(memoryCount), position_sum: number(positionSum) };
}

/**
 * Lets one pass at a time write memories of a user and an agent: it locks the oldest of their threads.
 *
 * @param threadId SQL expression of a thread of theirs
 */
export function lockOwners(names: SchemaNames, threadId: string): DmlStatement {
  return {
    name: 'lock_owners',
    sql: `UPDATE ${names.thread} t
SET t.message_count = t.message_count
WHERE t.order_seq = (SELECT MIN(f.order_seq)
  FROM ${names.thread} o
    JOIN ${names.thread} f ON f.user_id = o.user_id AND f.agent_id = o.agent_id
  WHERE o.thread_id = ${threadId})`,
  };
}

/** Undoes the list unless the memories are those of the tally. It comes after `lockOwners`, to see what others wrote. */
export function requireTally(names: SchemaNames, threadId: string): DmlStatement {
  return {
    name: 'require_tally',
    sql: `UPDATE ${names.thread} t
SET t.message_count = t.message_count
WHERE t.thread_id = ${threadId}
  AND EXISTS (SELECT 1 FROM (${tallySelect(names, threadId)}) m
    WHERE m.memory_total = :memory_total AND m.position_sum = :position_sum)`,
    expect: { rows: 1, otherwise: 'conflict', message: MEMORIES_CHANGED },
  };
}
