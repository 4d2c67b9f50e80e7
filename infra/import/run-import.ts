import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { ImportPlan } from './import-plan.ts';
import { runAtOnce } from './run-at-once.ts';
import { writeMemories } from './write-memories.ts';
import { writeThread } from './write-thread.ts';
import { writeUser } from './write-user.ts';

/** What became of the things of one kind. */
export interface ImportTally {
  added: number;
  /** There already, as they are in the export. */
  unchanged: number;
  /** There already with another content or owner: they stay as they are. */
  different: number;
}

export interface ImportReport {
  readonly users: ImportTally;
  readonly threads: ImportTally;
  readonly messages: ImportTally;
  readonly memories: ImportTally;
}

export interface RunImportOptions {
  /** Requests at once. */
  readonly concurrency: number;
  /** Called after each kind is done. */
  readonly onDone?: (kind: keyof ImportReport, tally: ImportTally) => void;
}

/**
 * Writes a plan. Nothing that is there already is changed: a run that was interrupted is completed by another one, and a run
 * after a complete one adds nothing.
 *
 * @throws AgentMemoryError of the first request that failed; what was written stays
 */
export async function runImport(
  memory: AgentMemoryApi,
  plan: ImportPlan,
  { concurrency, onDone = () => undefined }: RunImportOptions,
): Promise<ImportReport> {
  const report = { users: tally(), threads: tally(), messages: tally(), memories: tally() };
  await runAtOnce(plan.users, concurrency, (user) => writeUser(memory, user, report.users));
  onDone('users', report.users);
  await runAtOnce(plan.threads, concurrency, (thread) =>
    writeThread(memory, thread, report.threads, report.messages),
  );
  onDone('threads', report.threads);
  onDone('messages', report.messages);
  await writeMemories(memory, plan.memories, concurrency, report.memories);
  onDone('memories', report.memories);
  return report;
}

function tally(): ImportTally {
  return { added: 0, unchanged: 0, different: 0 };
}
