import { BLOCK_CASES } from './block-cases.ts';
import { DDL_CASES } from './ddl-cases.ts';
import { DICTIONARY_CASES } from './dictionary-cases.ts';
import { DML_CASES, TRANSACTION_CASES } from './dml-cases.ts';
import { FUNCTION_CASES } from './function-cases.ts';
import { JSON_CASES } from './json-cases.ts';
import { MERGE_CASES } from './merge-cases.ts';
import { REFUSED_CASES } from './refused-cases.ts';
import { SELECT_CASES } from './select-cases.ts';
import type { StatementCase } from './statement-case.ts';
import { TEXT_CASES } from './text-cases.ts';
import { UNSUPPORTED_CASES } from './unsupported-cases.ts';
import { VECTOR_CASES } from './vector-cases.ts';

/** All statements that the emulator is held against, by area. */
export const STATEMENT_TABLES: Readonly<Record<string, readonly StatementCase[]>> = {
  select: SELECT_CASES,
  functions: FUNCTION_CASES,
  json: JSON_CASES,
  vector: VECTOR_CASES,
  text: TEXT_CASES,
  dml: DML_CASES,
  transactions: TRANSACTION_CASES,
  merge: MERGE_CASES,
  ddl: DDL_CASES,
  dictionary: DICTIONARY_CASES,
  blocks: BLOCK_CASES,
  refused: REFUSED_CASES,
  unsupported: UNSUPPORTED_CASES,
};
