import { APPROXIMATE_SEARCH } from './approximate-search.ts';
import { BLOCK_TEMPLATE } from './block-template.ts';
import { CONNECTIONS } from './connections.ts';
import { JSON_CONDITIONS } from './json-conditions.ts';
import { JSON_INTERCHANGE } from './json-interchange.ts';
import { LONG_TEXT } from './long-text.ts';
import type { Probe } from './probe.ts';
import { ROW_LIMITS } from './row-limits.ts';
import { STATEMENT_ERRORS } from './statement-errors.ts';
import { STATEMENT_FORMS } from './statement-forms.ts';
import { STATEMENT_TEXT } from './statement-text.ts';
import { TEXT_INDEX } from './text-index.ts';
import { TRANSACTIONS } from './transactions.ts';
import { VALUE_ENCODINGS } from './value-encodings.ts';
import { VECTOR_BINDS } from './vector-binds.ts';
import { VECTOR_TIES } from './vector-ties.ts';
import { WRONG_PASSWORD } from './wrong-password.ts';

/** The sixteen open questions about Oracle Database and ORDS, in their order. */
export const PROBES: readonly Probe[] = [
  STATEMENT_ERRORS,
  LONG_TEXT,
  VALUE_ENCODINGS,
  TRANSACTIONS,
  STATEMENT_TEXT,
  APPROXIMATE_SEARCH,
  ROW_LIMITS,
  BLOCK_TEMPLATE,
  JSON_CONDITIONS,
  JSON_INTERCHANGE,
  VECTOR_BINDS,
  TEXT_INDEX,
  CONNECTIONS,
  STATEMENT_FORMS,
  VECTOR_TIES,
  WRONG_PASSWORD,
];
