import { setTimeout } from 'node:timers/promises';
import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import type { ThreadApi } from '../lib/schemas/agent-memory-api.ts';

const LOOK_MILLISECONDS = 200;

interface Counts {
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
}

/**
 * Prints how far the extraction jobs of some threads are, a line whenever it changes, until their messages are written and
 * all jobs have ended. A service that
 * is away, because somebody restarts it, is waited for: the jobs are in the database.
 */
export async function showProgress(threads: readonly ThreadApi[], writing: Promise<unknown>): Promise<void> {
  let isWriting = true;
  const written = writing.finally(() => {
    isWriting = false;
  });
  let shown = '';
  for (;;) {
    const wasWriting = isWriting;
    const counts = await readCounts(threads);
    const line = counts === undefined ? '  the service is away, waiting for it' : describe(counts);
    if (line !== shown) console.log(line);
    shown = line;
    if (!wasWriting && counts !== undefined && counts.waiting + counts.running === 0) break;
    await setTimeout(LOOK_MILLISECONDS);
  }
  await written;
  const ends = await Promise.all(threads.map((thread) => thread.waitForExtraction()));
  const failed = ends.reduce((sum, end) => sum + end.failed, 0);
  console.log(`  the wait is over: ${failed === 0 ? 'every job succeeded' : `${failed} jobs failed`}`);
}

async function readCounts(threads: readonly ThreadApi[]): Promise<Counts | undefined> {
  try {
    const all = await Promise.all(threads.map((thread) => thread.getExtraction()));
    const sum = (count: (one: (typeof all)[number]) => number) =>
      all.reduce((total, one) => total + count(one), 0);
    return {
      waiting: sum(({ pending }) => pending),
      running: sum(({ running }) => running),
      done: sum(({ succeeded }) => succeeded),
      failed: sum(({ failed, dead, cancelled }) => failed + dead + cancelled),
    };
  } catch (error) {
    if (AgentMemoryError.is(error) && error.code === 'unavailable') return undefined;
    throw error;
  }
}

function describe({ waiting, running, done, failed }: Counts): string {
  const total = waiting + running + done + failed;
  const filled = total === 0 ? 0 : Math.round((20 * (done + failed)) / total);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(20 - filled)}`;
  return `  [${bar}] ${done} of ${total} done, ${running} running, ${waiting} waiting, ${failed} failed`;
}
