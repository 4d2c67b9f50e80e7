import { checkNesting, refuseDeepNesting } from '../../sql/nesting.ts';
import type { StatementRunner } from '../statement-runner.ts';
import { cacheKey, type StatementTranslator, type TypesByName } from '../statement-translator.ts';
import { BlockChecker } from './block-checker.ts';
import type { CompiledBlock } from './compiled-block.ts';
import { parseBlock } from './parse-block.ts';

const MAXIMUM_CACHED = 300;

/** Compiles blocks and remembers them by text and bind types until the catalog changes. */
export class BlockCompiler {
  readonly #translator: StatementTranslator;
  readonly #cache = new Map<string, CompiledBlock>();
  #catalogVersion = 0;

  constructor(translator: StatementTranslator) {
    this.#translator = translator;
  }

  async compile(text: string, binds: TypesByName, runner: StatementRunner): Promise<CompiledBlock> {
    if (this.#catalogVersion !== this.#translator.catalogVersion) {
      this.#cache.clear();
      this.#catalogVersion = this.#translator.catalogVersion;
    }
    const key = cacheKey(text, binds);
    const known = this.#cache.get(key);
    if (known !== undefined) {
      return known;
    }
    const block = refuseDeepNesting(() => parseBlock(text));
    checkNesting(block);
    const compiled = await new BlockChecker(text, binds, this.#translator, runner).check(block);
    if (this.#cache.size >= MAXIMUM_CACHED) {
      this.#cache.clear();
    }
    this.#cache.set(key, compiled);
    return compiled;
  }
}
