import { readFileSync } from 'node:fs';
import type { Embedder } from '../../../lib/models/embedder.ts';
import { createLocalEmbedder } from '../../../lib/models/local/local-embedder.ts';

/** The local embedder with the word table that lies beside this file. */
export function loadLocalEmbedder(): Embedder {
  return createLocalEmbedder(readFileSync(new URL('./word-table.bin', import.meta.url)));
}
