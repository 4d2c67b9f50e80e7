import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unstable_readConfig } from 'wrangler';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import { startDeployedEnvironment } from '../test/runtime/deployed-environment.ts';
import { startWorker } from '../test/worker/start-worker.ts';
import type { Figure } from './figure.ts';
import { time } from './statistics.ts';

const CONFIG = fileURLToPath(new URL('../wrangler.toml', import.meta.url));
const WARM_UP = 30;
const SAMPLES = 300;
/** Clock ticks of Linux in a second, for user programs. */
const TICKS = 100;

/** Processor time of the built Worker for a request, over ORDS of the emulator; nothing where the system does not tell. */
export async function workerFigures(directory: string): Promise<readonly Figure[]> {
  const environment = await startDeployedEnvironment();
  const config = unstable_readConfig({ config: CONFIG });
  const before = new Set(runtimes());
  const variables = { ...environment.variables, LOG_LEVEL: 'error', LLM: 'none' };
  const worker = await startWorker(directory, config, variables);
  try {
    const own = runtimes().filter((pid) => !before.has(pid));
    if (own.length === 0) return [];
    const memory = createAgentMemoryClient({ baseUrl: worker.url });
    const thread = await memory.createThread({
      threadId: 'bench',
      userId: 'bench',
      extraction: { extractMemories: false },
    });
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      getThread: () => memory.getThread('bench'),
      addMessages: () => thread.addMessages([{ role: 'user', content: 'I prefer trains over planes.' }]),
      search: () => memory.search('How do I like to travel?', { userId: 'bench' }),
    };
    const figures: Figure[] = [];
    for (const [name, call] of Object.entries(calls)) {
      await time(WARM_UP, call);
      const start = processorMilliseconds(own);
      await time(SAMPLES, call);
      const value = (processorMilliseconds(own) - start) / SAMPLES;
      figures.push({ name: `${name}: processor time of workerd for a request`, value, unit: 'ms' });
    }
    return figures;
  } finally {
    await worker.close();
    await environment.close();
  }
}

/** Processes of workerd that this process started. */
function runtimes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        const [name, , parent] = statOf(pid);
        return name === 'workerd' && Number(parent) === process.pid;
      });
  } catch {
    return [];
  }
}

function processorMilliseconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statOf(pid);
    return sum + ((Number(fields[12]) + Number(fields[13])) * 1_000) / TICKS;
  }, 0);
}

/** Fields of `/proc/<pid>/stat` from the name of the program on; of a process that has ended none. */
function statOf(pid: number): readonly string[] {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return [name, ...rest.split(' ')];
  } catch {
    return [];
  }
}
