import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRELUDE_SQL } from '../translate/prelude.ts';

/** Version of the packages whose files an image contains; an image of another version is not used. */
export const IMAGE_PACKAGES = 'pglite-0.5.14 pglite-pgvector-0.0.15';

const CACHE_DIRECTORY = join(import.meta.dirname, '../../../../node_modules/.cache/agent-memory-functions');

/** Identifies the emulator's own functions and views, to notice when a directory was made by another version. */
export const PRELUDE_VERSION = createHash('sha256').update(PRELUDE_SQL).digest('hex').slice(0, 16);

const NAME_START = 'oracle-emulator-';

function imageName(): string {
  const key = createHash('sha256').update(`${IMAGE_PACKAGES} ${PRELUDE_VERSION}`).digest('hex').slice(0, 16);
  return `${NAME_START}${key}.tar`;
}

/** An empty emulated database from an earlier start: loading it takes 0.6 s, making it anew 2 s. */
export async function readBaseImage(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(join(CACHE_DIRECTORY, imageName()))]);
  } catch {
    // Not made yet.
    return undefined;
  }
}

/**
 * Keeps the image for the next start, and removes those of other versions. A cache that cannot be written (a
 * read-only installation) costs time only, so that is no failure.
 */
export async function writeBaseImage(image: Blob): Promise<void> {
  const temporary = join(CACHE_DIRECTORY, randomUUID());
  try {
    await mkdir(CACHE_DIRECTORY, { recursive: true });
    await writeFile(temporary, new Uint8Array(await image.arrayBuffer()));
    await rename(temporary, join(CACHE_DIRECTORY, imageName()));
    await removeOtherVersions();
  } catch {
    await rm(temporary, { force: true });
  }
}

async function removeOtherVersions(): Promise<void> {
  for (const name of await readdir(CACHE_DIRECTORY)) {
    if (name.startsWith(NAME_START) && name !== imageName()) {
      await rm(join(CACHE_DIRECTORY, name), { force: true });
    }
  }
}
