import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const START = fileURLToPath(new URL('../infra/local/start.ts', import.meta.url));
const POLL_MILLISECONDS = 20;

/** A running `npm start` of its own: one process, one data directory, one port of this machine. */
export interface ServiceProcess {
  readonly url: string;
  /** Milliseconds from starting the process to its first answer from the database. */
  readonly startMilliseconds: number;
  /** Resident memory now, in MB; undefined where the system does not tell. */
  residentMegabytes(): number | undefined;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the service ended with code ${child.exitCode} before it answered`);
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}

/** Starts the service with some settings and waits for its first answer. */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const child = spawn(process.execPath, [START], {
    env: { ...process.env, LOG_LEVEL: 'error', ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await firstAnswer(url, child);
  return {
    url,
    startMilliseconds: performance.now() - start,
    residentMegabytes: () => residentMegabytes(child.pid),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
