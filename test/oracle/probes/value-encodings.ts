import { isDeepStrictEqual } from 'node:util';
import { decodeRows } from '../../../lib/sql/result-shape.ts';
import type { ColumnType, Query } from '../../../lib/sql/statement.ts';
import { timestampOutput } from '../../../lib/store/timestamp-sql.ts';
import { type RawBind, rawJson } from '../raw/raw-database.ts';
import type { AssumingPoint, InformingPoint, Probe } from './probe.ts';

/** One value as a transport gives it, without a conversion to text. */
function informing(asks: string, expression: string): InformingPoint {
  return {
    asks,
    async tell({ database }) {
      const { rows } = await database.ask({ sql: `SELECT ${expression} AS value FROM dual` });
      const [row] = rows;
      if (row === undefined || !('value' in row)) return `no key "value" in ${JSON.stringify(row)}`;
      return `${typeof row.value}: ${written(row.value)}`;
    },
  };
}

function written(value: unknown): string {
  if (value instanceof Date) return `Date ${value.toISOString()}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  return JSON.stringify(value) ?? String(value);
}

interface Decoded {
  readonly asks: string;
  readonly assumes: string;
  readonly place: string;
  readonly expression: string;
  readonly type: ColumnType;
  readonly expected: unknown;
  readonly binds?: Readonly<Record<string, RawBind>>;
}

/** One value as the store selects it, decoded by this program's rules. */
function assuming({ asks, assumes, place, expression, type, expected, binds = {} }: Decoded): AssumingPoint {
  const sql = `SELECT ${expression} AS value FROM dual`;
  return {
    asks,
    assumes,
    place,
    async judge({ database }) {
      const { rows } = await database.ask({ sql, binds });
      const query: Query<{ readonly value: ColumnType }> = {
        name: 'probe',
        sql,
        binds: {},
        shape: { value: type },
      };
      const value = decodeRows(query, undefined, rows)[0]?.value;
      const holds = isDeepStrictEqual(value, expected);
      return { holds, answer: `raw ${written(rows[0]?.value)}, decoded ${written(value)}` };
    },
  };
}

const ORTHOGONAL = "VECTOR_DISTANCE(TO_VECTOR('[1,0]', 2, FLOAT32), TO_VECTOR('[0,1]', 2, FLOAT32), COSINE)";
const METADATA = { text: 'é"\\', list: [1, 'two', null, true], empty: {} };

/** Question 3. */
export const VALUE_ENCODINGS: Probe = {
  number: 3,
  question: 'How do values of each type arrive?',
  points: [
    assuming({
      asks: 'NULL',
      assumes: 'null, an empty text or no key at all',
      place: 'lib/sql/result-shape.ts: decodeValue',
      expression: 'CAST(NULL AS VARCHAR2(10))',
      type: 'text',
      expected: null,
    }),
    assuming({
      asks: 'a distance, which is a BINARY_DOUBLE',
      assumes: 'a JSON or JavaScript number',
      place: 'lib/store/search/vector-distance.ts: vectorDistance',
      expression: ORTHOGONAL,
      type: 'number',
      expected: 1,
    }),
    assuming({
      asks: 'a time, written by TO_CHAR in UTC',
      assumes: 'ISO-8601 with milliseconds and Z',
      place: 'lib/store/timestamp-sql.ts: timestampOutput',
      expression: timestampOutput(
        `TO_TIMESTAMP_TZ('2026-02-03T04:05:06.789+02:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')`,
      ),
      type: 'timestamp',
      expected: '2026-02-03T02:05:06.789Z',
    }),
    assuming({
      asks: 'JSON, written by JSON_SERIALIZE to a CLOB',
      assumes: 'JSON text with the same values',
      place: 'lib/sql/result-shape.ts: parseJson',
      expression: 'JSON_SERIALIZE(JSON(:metadata) RETURNING CLOB)',
      type: 'json',
      expected: METADATA,
      binds: { metadata: rawJson(METADATA) },
    }),
    informing(
      'TIMESTAMP WITH TIME ZONE',
      `TO_TIMESTAMP_TZ('2026-02-03T04:05:06.789+02:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')`,
    ),
    informing('BOOLEAN', 'TRUE'),
    informing('JSON', `JSON('{"a":[1,"x"]}')`),
    informing('VECTOR', "TO_VECTOR('[1.5,2]', 2, FLOAT32)"),
    informing('RAW', "HEXTORAW('CAFE')"),
    informing('NUMBER of 20 digits', '12345678901234567890'),
    informing('BINARY_DOUBLE', "TO_BINARY_DOUBLE('0.1')"),
    informing('BINARY_DOUBLE that is not a number', "TO_BINARY_DOUBLE('NaN')"),
  ],
};
