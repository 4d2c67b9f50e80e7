import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLocalEmbedder } from '../../infra/local/models/load-local-embedder.ts';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { extract } from './rules-prompt.ts';

const { resolve } = createRequire(import.meta.url);
const ENTRY = `
import { createWorker } from './workerd-entry.ts';
import ranks from 'tiktoken/encoders/o200k_base.json';
import wasm from './tiktoken.wasm';
import wordTable from './word-table.bin';
export default createWorker({ wasm, ranks, wordTable });
`;

async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['*.wasm', '*.bin'],
  });
  return outputFiles[0]?.text ?? '';
}

let worker: Miniflare;

beforeAll(async () => {
  const table = readFileSync(new URL('../../infra/local/models/word-table.bin', import.meta.url));
  worker = new Miniflare(
    convertV4MiniflareOptions({
      compatibilityDate: '2026-01-01',
      modules: [
        { type: 'ESModule', path: 'worker.js', contents: await bundleWorker() },
        {
          type: 'CompiledWasm',
          path: 'tiktoken.wasm',
          contents: readFileSync(resolve('tiktoken/lite/tiktoken_bg.wasm')),
        },
        { type: 'Data', path: 'word-table.bin', contents: table },
      ],
    }),
  );
  await worker.ready;
});

afterAll(async () => {
  await worker.dispose();
});

test('tokenizer, local embedder and offline model give the same in workerd as in Node', async () => {
  const text = "I live in Lisbon 👨‍👩‍👧‍👦 and I'm allergic to peanuts. <|endoftext|> 東京に住んでいます。";
  const tokenizer = await loadTokenizer();
  const [vector] = await loadLocalEmbedder().embed({ texts: [text], purpose: 'document' });
  const response = await worker.dispatchFetch('http://localhost/', { method: 'POST', body: text });
  expect(await response.json()).toEqual({
    isCompiledModule: true,
    tokens: tokenizer.count(text),
    chunks: tokenizer.split(text, { maxTokens: 8, overlapTokens: 2 }),
    vector: Array.from(vector ?? []),
    memories: JSON.stringify({ memories: await extract(text) }),
  });
});
