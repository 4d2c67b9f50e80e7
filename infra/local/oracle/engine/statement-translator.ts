import { createHash } from 'node:crypto';
import { refuseDeepNesting } from '../sql/nesting.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { translate } from '../translate/translate.ts';
import type { Translation } from '../translate/translation.ts';
import type { Catalog } from './catalog.ts';
import { createsFunction } from './function/parse-create-function.ts';
import { translateFunction } from './function/translate-function.ts';
import { isAdministration, translateAdministration } from './row-isolation/translate-administration.ts';

const MAXIMUM_CACHED = 1_000;

export type TypesByName = ReadonlyMap<string, OracleType>;

/** A translated statement together with what the engine must know to run it. */
export interface TranslatedStatement extends Translation {
  /** Oracle text, for fault hooks. */
  readonly text: string;
  /** Takes locks or changes rows, so it belongs to a transaction. */
  readonly needsTransaction: boolean;
}

/** Translates statements and remembers the results by text and declared types until the catalog changes. */
export class StatementTranslator {
  readonly #catalog: Catalog;
  readonly #cache = new Map<string, TranslatedStatement>();
  #catalogVersion = 0;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Changes with every DDL statement. */
  get catalogVersion(): number {
    return this.#catalogVersion;
  }

  translate(text: string, binds: TypesByName, variables: TypesByName): TranslatedStatement {
    const key = cacheKey(text, binds, variables);
    const known = this.#cache.get(key);
    if (known !== undefined) {
      return known;
    }
    const translation = refuseDeepNesting(() => {
      if (createsFunction(text)) return translateFunction(text, this.#catalog);
      if (isAdministration(text)) return translateAdministration(text, this.#catalog);
      return translate(text, { catalog: this.#catalog, binds, variables });
    });
    const locks = translation.kind === 'query' && /\bFOR\s+UPDATE\b/i.test(text);
    const statement = { ...translation, text, needsTransaction: locks || translation.kind === 'dml' };
    if (translation.kind !== 'ddl') {
      this.#remember(key, statement);
    }
    return statement;
  }

  /** Drops every remembered translation: DDL has changed the catalog. */
  forget(): void {
    this.#cache.clear();
    this.#catalogVersion += 1;
  }

  #remember(key: string, statement: TranslatedStatement): void {
    this.#cache.set(key, statement);
    if (this.#cache.size > MAXIMUM_CACHED) {
      for (const oldest of this.#cache.keys()) {
        this.#cache.delete(oldest);
        break;
      }
    }
  }
}

/** Text and declared types as a short key; statement texts may be long. */
export function cacheKey(text: string, ...types: readonly TypesByName[]): string {
  const declared = types.map((map) =>
    [...map].map(([name, type]) => `${name}=${JSON.stringify(type)}`).join(),
  );
  return createHash('sha1').update(text).update('\0').update(declared.join('\0')).digest('base64');
}
