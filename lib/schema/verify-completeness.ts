import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { ManagedObjects } from './managed-objects.ts';
import type { DdlStatement } from './render-migration.ts';
import { RECREATE } from './verify-schema-state.ts';

/**
 * Checks that the tables are those of their version. A store that claims a version and lacks one of its tables or columns
 * came from a development version or from a hand, and so did a table that lacks a column before any version is
 * recorded: no upgrade can know what else is wrong (contract §3.1).
 *
 * @param claimed Version that the store says it has; undefined when it says none
 * @throws AgentMemoryError `conflict` naming what is missing and the remedy
 */
export function verifyCompleteness(
  plan: readonly DdlStatement[],
  found: ManagedObjects,
  claimed: number | undefined,
): void {
  const lacking = plan.flatMap((statement) => lackingOf(statement, found, claimed));
  if (lacking.length === 0) return;
  const claim = claimed === undefined ? 'has tables that no version had' : `claims schema version ${claimed}`;
  throw new AgentMemoryError(
    'conflict',
    `the memory store ${claim} and lacks ${lacking.join(', ')}: ${RECREATE}`,
  );
}

function lackingOf(
  { creates, version, columns }: DdlStatement,
  found: ManagedObjects,
  claimed: number | undefined,
): readonly string[] {
  const isTable = creates !== undefined && columns.length > 0;
  if (isTable && !found.objects.has(creates)) {
    return claimed !== undefined && version <= claimed ? [creates] : [];
  }
  const isExpected = claimed === undefined ? isTable : version <= claimed;
  return isExpected ? columns.filter((column) => !found.columns.has(column)) : [];
}
