import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PRELUDE_SQL } from '../translate/prelude.ts';

/** Version of the packages whose files an image contains; an image of another version is not used. */
export const IMAGE_PACKAGES = 'pglite-0.5.14 pglite-pgvector-0.0.15';

const CACHE_DIRECTORY = join(import.meta.dirname, '../../../../node_modules/.cache/agent-memory-functions');

/** Identifies the emulator's own functions and views, to notice when a directory was made by another version. */
export const PRELUDE_VERSION = createHash('sha256').update(PRELUDE_SQL).digest('hex').slice(0, 16);

function imagePath(): string {
  const key = createHash('sha256').update(`${IMAGE_PACKAGES} ${PRELUDE_VERSION}`).digest('hex').slice(0, 16);
  return join(CACHE_DIRECTORY, `oracle-emulator-${key}.tar`);
}

/** An empty emulated database from an earlier start: loading it takes 0.6 s, making it anew 2 s. */
export async function readBaseImage(): Promise<Blob | undefined> {
  try {
    return new Blob([await readFile(imagePath())]);
  } catch {
    // Not made yet.
    return undefined;
  }
}

/** Keeps the image for the next start. A cache that cannot be written costs time only, so failures are ignored. */
export async function writeBaseImage(image: Blob): Promise<void> {
  const path = imagePath();
  const temporary = `${path}.${randomUUID()}`;
  try {
    await mkdir(CACHE_DIRECTORY, { recursive: true });
    const file = await open(temporary, 'wx');
    await file.writeFile(new Uint8Array(await image.arrayBuffer()));
    await file.close();
    await rename(temporary, path);
  } catch {
    // A read-only installation.
  }
}
