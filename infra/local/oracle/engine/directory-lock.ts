import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';

const FILE_NAME = 'emulator.lock';

const owner = z.object({ pid: z.int().positive(), startedAt: z.string() });

/** Two processes on one data directory lose each other's writes, so a second one is refused. */
export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';
  readonly pid: number;

  constructor(directory: string, pid: number) {
    super(
      `the data directory ${directory} is in use by process ${pid}. One process owns a data directory. To share it, ` +
        'start the emulator once with `npm run emulator -- --ords-port 8181` and let the others use that port.',
    );
    this.pid = pid;
  }
}

/**
 * Takes a data directory for this process and returns a function that gives it back. A lock whose process has ended
 * (also when its number now belongs to another process) is taken over.
 *
 * @throws DataDirectoryInUseError while another process, or another engine of this one, has it
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const path = join(resolve(directory), FILE_NAME);
  for (;;) {
    if (createLock(path)) {
      return () => rmSync(path, { force: true });
    }
    const text = readLock(path);
    const pid = livingOwner(text);
    if (pid !== undefined) {
      throw new DataDirectoryInUseError(directory, pid);
    }
    removeStale(path, text);
  }
}

/** Writes the lock aside and links it into place, so that it is never seen half written. */
function createLock(path: string): boolean {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: startTime(process.pid) ?? '' }));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes a lock that nobody holds. Another process may have done so and taken it meanwhile: that one stays. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readLock(aside) !== text) {
      linkSync(aside, path);
    }
  } catch {
    // Someone else was faster; the next attempt to take the lock decides.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The process that holds the lock, if it still runs. */
function livingOwner(text: string): number | undefined {
  const parsed = owner.safeParse(parseJson(text));
  if (!parsed.success) {
    return undefined;
  }
  const { pid, startedAt } = parsed.data;
  const current = startTime(pid);
  return current === undefined || current !== startedAt ? undefined : pid;
}

function readLock(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Given back meanwhile.
    return '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** When a process started, in the form of its system; undefined when there is none. Tells a reused number apart. */
function startTime(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Fields 3 (state) and 22 (start), counted after the command name, which may itself contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
