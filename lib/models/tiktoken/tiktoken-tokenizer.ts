import { init, Tiktoken } from 'tiktoken/lite/init';
import { invalidRequest } from '../../errors/agent-memory-error.ts';
import type { Tokenizer } from '../tokenizer.ts';
import { cutLongRuns } from './cut-long-runs.ts';
import { splitByTokens, type TokenizedText } from './split-by-tokens.ts';

/** The ranks of an encoding, as the files `tiktoken/encoders/*.json` hold them. */
export interface TiktokenRanks {
  readonly bpe_ranks: string;
  readonly special_tokens: Readonly<Record<string, number>>;
  readonly pat_str: string;
}

/** The parts of a tokenizer, loaded in the way of the runtime. */
export interface TiktokenTokenizerOptions {
  /** `tiktoken/lite/tiktoken_bg.wasm`: its bytes, or the compiled module where a runtime allows no other (Cloudflare Workers). */
  readonly wasm: WebAssembly.Module | BufferSource;
  readonly ranks: TiktokenRanks;
  /** @default 'o200k_base' */
  readonly encoding?: string;
}

async function instantiate(
  wasm: WebAssembly.Module | BufferSource,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  if (wasm instanceof WebAssembly.Module) return WebAssembly.instantiate(wasm, imports);
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  return instance;
}

/** Bytes of UTF-8 and UTF-16 code units of a code point; a lone surrogate is encoded as U+FFFD. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Turns the byte length of each token into the UTF-16 index at which it ends. */
function findTokenEnds(text: string, byteLengths: readonly number[]): Uint32Array {
  const ends = new Uint32Array(byteLengths.length);
  let tokenBytes = 0;
  let textBytes = 0;
  let index = 0;
  byteLengths.forEach((byteLength, token) => {
    tokenBytes += byteLength;
    while (index < text.length) {
      const codePoint = text.codePointAt(index) ?? 0;
      if (textBytes + utf8Length(codePoint) > tokenBytes) break;
      textBytes += utf8Length(codePoint);
      index += codePoint > 0xffff ? 2 : 1;
    }
    ends[token] = index;
  });
  return ends;
}

function checkSplitOptions(maxTokens: number, overlapTokens: number): void {
  if (!Number.isInteger(maxTokens) || maxTokens < 1)
    throw invalidRequest('maxTokens', 'must be an integer of at least 1');
  if (!Number.isInteger(overlapTokens) || overlapTokens < 0 || overlapTokens >= maxTokens) {
    throw invalidRequest('overlapTokens', 'must be an integer from 0 to below maxTokens');
  }
}

/**
 * A tokenizer over the WebAssembly build of tiktoken. The module is instantiated here; the ranks are read at the first
 * count, which takes some 150 ms.
 *
 * Counts are exact for texts whose unbroken runs have at most 256 characters; longer runs are counted in pieces, which is
 * at most a little more. Time grows linearly with the text. Special tokens are text.
 *
 * @throws `invalid_request` from `split` when `maxTokens` is below 1 or `overlapTokens` is not below it
 */
export async function createTiktokenTokenizer(options: TiktokenTokenizerOptions): Promise<Tokenizer> {
  const { ranks } = options;
  await init((imports) => instantiate(options.wasm, imports));
  let loaded: Tiktoken | undefined;
  const byteLengths = new Map<number, number>();

  function encoder(): Tiktoken {
    loaded ??= new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return loaded;
  }

  function count(text: string): number {
    return cutLongRuns(text).reduce((sum, piece) => sum + encoder().encode_ordinary(piece).length, 0);
  }

  function byteLengthOf(token: number): number {
    const known = byteLengths.get(token);
    if (known !== undefined) return known;
    const length = encoder().decode_single_token_bytes(token).length;
    byteLengths.set(token, length);
    return length;
  }

  function tokenize(text: string): TokenizedText {
    const lengths = cutLongRuns(text).flatMap((piece) =>
      Array.from(encoder().encode_ordinary(piece), byteLengthOf),
    );
    return { text, tokenEnds: findTokenEnds(text, lengths) };
  }

  return {
    encoding: options.encoding ?? 'o200k_base',
    count,
    split(text, { maxTokens, overlapTokens }) {
      checkSplitOptions(maxTokens, overlapTokens);
      const tokenized = tokenize(text);
      if (tokenized.tokenEnds.length <= maxTokens) return [text];
      return splitByTokens(tokenized, { maxTokens, overlapTokens }, count);
    },
  };
}
