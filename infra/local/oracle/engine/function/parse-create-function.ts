import { OracleError } from '../../sql/oracle-error.ts';
import { tokenize } from '../../sql/tokenizer.ts';
import { BlockReader } from '../block/block-reader.ts';
import type { FunctionSyntax } from '../block/block-syntax.ts';
import { parseFunction } from '../block/parse-function-declaration.ts';

/** `CREATE [OR REPLACE] FUNCTION` as it is written. */
export interface CreateFunction {
  readonly syntax: FunctionSyntax;
  readonly orReplace: boolean;
  readonly ifNotExists: boolean;
}

/** Whether a text is `CREATE [OR REPLACE] FUNCTION …`, whose semicolons are inside. */
export function createsFunction(text: string): boolean {
  const words = tokenize(text)
    .slice(0, 5)
    .map(({ kind, value }) => (kind === 'word' ? value : ''))
    .join(' ');
  return /^CREATE (?:OR REPLACE )?(?:(?:NON)?EDITIONABLE )?FUNCTION\b/.test(words);
}

/** The whole of a `CREATE FUNCTION`, with the semicolon at its end. */
export function parseCreateFunction(text: string): CreateFunction {
  const reader = new BlockReader(text, true);
  reader.expect('CREATE');
  const orReplace = reader.accept('OR', 'REPLACE');
  if (!reader.accept('EDITIONABLE')) {
    reader.accept('NONEDITIONABLE');
  }
  reader.expect('FUNCTION');
  const { offset } = reader.token;
  const ifNotExists = reader.accept('IF', 'NOT', 'EXISTS');
  if (orReplace && ifNotExists) {
    throw new OracleError(11541, 'REPLACE and IF NOT EXISTS cannot coexist in the same DDL statement', {
      offset,
    });
  }
  const syntax = parseFunction(reader);
  reader.expectOperator(';');
  if (reader.token.kind !== 'end') {
    reader.unexpected('end-of-file');
  }
  return { syntax, orReplace, ifNotExists };
}
