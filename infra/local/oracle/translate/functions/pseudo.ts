import { quoteText, SCHEMA_NAME } from '../names.ts';
import { DATE, NUMBER, TIMESTAMP, TIMESTAMP_TZ, type Value } from '../value.ts';

/** Functions without parentheses. Times are those of the statement: one value however often they are read. */
export const PSEUDO_FUNCTIONS: Readonly<Record<string, Value>> = {
  SYSDATE: { sql: `date_trunc('second', statement_timestamp()::timestamp)::timestamp(0)`, type: DATE },
  CURRENT_DATE: { sql: `date_trunc('second', statement_timestamp()::timestamp)::timestamp(0)`, type: DATE },
  SYSTIMESTAMP: { sql: 'statement_timestamp()', type: TIMESTAMP_TZ },
  CURRENT_TIMESTAMP: { sql: 'statement_timestamp()', type: TIMESTAMP_TZ },
  LOCALTIMESTAMP: { sql: 'statement_timestamp()::timestamp', type: TIMESTAMP },
  USER: { sql: `${quoteText(SCHEMA_NAME)}::text`, type: { kind: 'VARCHAR2', length: 128, unit: 'BYTE' } },
  SESSIONTIMEZONE: { sql: `'+00:00'::text`, type: { kind: 'VARCHAR2', length: 64, unit: 'BYTE' } },
  DBTIMEZONE: { sql: `'+00:00'::text`, type: { kind: 'VARCHAR2', length: 6, unit: 'BYTE' } },
  ROWNUM: { sql: '(row_number() OVER ())::numeric', type: NUMBER },
};
