import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as z from 'zod';
import { createTiktokenTokenizer } from '../../../lib/models/tiktoken/tiktoken-tokenizer.ts';
import type { Tokenizer } from '../../../lib/models/tokenizer.ts';

const ranksSchema = z.object({
  bpe_ranks: z.string(),
  special_tokens: z.record(z.string(), z.number()),
  pat_str: z.string(),
});

/** The tokenizer with the WebAssembly module and the ranks that the installed `tiktoken` package holds. */
export function loadTokenizer(): Promise<Tokenizer> {
  const { resolve } = createRequire(import.meta.url);
  const ranks = ranksSchema.parse(
    JSON.parse(readFileSync(resolve('tiktoken/encoders/o200k_base.json'), 'utf8')),
  );
  return createTiktokenTokenizer({ wasm: readFileSync(resolve('tiktoken/lite/tiktoken_bg.wasm')), ranks });
}
