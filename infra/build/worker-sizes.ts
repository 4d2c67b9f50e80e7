import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The rank table of the tokenizer, as it stands in the bundle: 2.3 MB of base64 in one text. */
const RANKS = /bpe_ranks:"[^"]*"/;

/** Bytes of a built Worker as Cloudflare counts them. */
export interface WorkerSizes {
  /** Modules and WebAssembly with gzip. */
  readonly compressed: number;
  /** The same without the rank table of the tokenizer. */
  readonly withoutRanks: number;
}

/** Measures what `buildWorker` made in `directory`. */
export async function workerSizes(directory: string): Promise<WorkerSizes> {
  const names = await readdir(directory);
  const files = await Promise.all(names.map((name) => readFile(join(directory, name))));
  const compress = (contents: readonly Uint8Array[]): number =>
    contents.reduce((sum, content) => sum + gzipSync(content).byteLength, 0);
  return { compressed: compress(files), withoutRanks: compress(files.map(removeRanks)) };
}

function removeRanks(content: Buffer): Uint8Array {
  return Buffer.from(content.toString('latin1').replace(RANKS, 'bpe_ranks:""'), 'latin1');
}
