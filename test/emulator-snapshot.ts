import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOracleEngine } from '../infra/local/oracle/engine/create-oracle-engine.ts';

const EMULATOR_SOURCES = join(import.meta.dirname, '../infra/local/oracle');
const CACHE_DIRECTORY = join(import.meta.dirname, '../node_modules/.cache/agent-memory-functions');

/** The snapshots of one state of the emulator's source are in one directory; those of others are removed. */
const DIRECTORY_START = 'test-snapshots-';

/**
 * An emulator image in which these statements have run and are committed, for `startEmulator({ snapshot })`. It is
 * built once and then read from a cache (0.5 s instead of several), until the statements or the emulator change.
 */
export async function emulatorSnapshot(statements: readonly string[]): Promise<Blob> {
  const directory = `${DIRECTORY_START}${await sourceVersion()}`;
  const name = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16);
  const path = join(CACHE_DIRECTORY, directory, `${name}.tar`);
  try {
    return new Blob([await readFile(path)]);
  } catch {
    await removeOtherVersions(directory);
    const image = await buildSnapshot(statements);
    await keep(path, image);
    return image;
  }
}

async function removeOtherVersions(directory: string): Promise<void> {
  await mkdir(CACHE_DIRECTORY, { recursive: true });
  for (const name of await readdir(CACHE_DIRECTORY)) {
    if (name.startsWith(DIRECTORY_START) && name !== directory) {
      await rm(join(CACHE_DIRECTORY, name), { recursive: true, force: true });
    }
  }
}

async function buildSnapshot(statements: readonly string[]): Promise<Blob> {
  const engine = await createOracleEngine();
  try {
    const session = engine.openSession();
    for (const statement of statements) {
      await session.execute(statement, []);
    }
    await session.commit();
    await session.close();
    return await engine.snapshot();
  } finally {
    await engine.close();
  }
}

/** Test files run at once and may build the same image; each one is complete when it gets its name. */
async function keep(path: string, image: Blob): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, new Uint8Array(await image.arrayBuffer()));
  await rename(temporary, path);
}

async function sourceVersion(): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(EMULATOR_SOURCES, { recursive: true });
  for (const file of files.filter((name) => /\.(?:ts|sql)$/.test(name)).sort()) {
    hash.update(file).update(await readFile(join(EMULATOR_SOURCES, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
