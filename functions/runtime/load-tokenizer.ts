import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createTiktokenTokenizer } from '../../lib/models/tiktoken/tiktoken-tokenizer.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';

/**
 * The tokenizer of a bundled entry. Its WebAssembly and ranks (3 MB) are in the bundle and are read at the first call:
 * the build gives the bytes on AWS Lambda, and a compiled module on Workers, which compile none themselves.
 */
export async function loadTokenizer(): Promise<Tokenizer> {
  const [binary, { default: ranks }] = await Promise.all([
    import('tiktoken/lite/tiktoken_bg.wasm'),
    import('tiktoken/encoders/o200k_base.json', { with: { type: 'json' } }),
  ]);
  const wasm: unknown = Reflect.get(binary, 'default');
  if (wasm instanceof WebAssembly.Module || wasm instanceof Uint8Array) {
    return createTiktokenTokenizer({ wasm, ranks });
  }
  throw new AgentMemoryError('internal', 'the build did not bundle the WebAssembly of the tokenizer');
}

/** For entries whose operations neither count nor split text: they bundle no tokenizer, and one that did would fail. */
export async function withoutTokenizer(): Promise<Tokenizer> {
  const refuse = (): never => {
    throw new AgentMemoryError('internal', 'this function was built without a tokenizer');
  };
  return { encoding: 'none', count: refuse, split: refuse };
}
