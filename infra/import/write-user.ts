import { isDeepStrictEqual } from 'node:util';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import { isConflict } from './failure-kind.ts';
import type { PlannedUser } from './import-plan.ts';
import type { ImportTally } from './run-import.ts';

/** Adds the profile of a user that has none. */
export async function writeUser(
  memory: AgentMemoryApi,
  { userId, information, metadata }: PlannedUser,
  tally: ImportTally,
): Promise<void> {
  try {
    await memory.addUser(userId, information, metadata);
    tally.added += 1;
  } catch (error) {
    if (!isConflict(error)) throw error;
    const stored = await memory.getUser(userId);
    const isSame = stored.content === information && isDeepStrictEqual(stored.metadata, metadata);
    tally[isSame ? 'unchanged' : 'different'] += 1;
  }
}
