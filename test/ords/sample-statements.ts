import { type FixedStatement, statementHash } from '../../lib/sql/fixed-statement.ts';

const LONG_LINE = `SELECT '${"it''s; ".repeat(150)}' AS quoted_text, '${'x'.repeat(1_100)}' AS long_text FROM dual`;
const BLOCK = `DECLARE
  l_note_id VARCHAR2(4000 CHAR) := :note_id;
BEGIN
  DELETE FROM conformance_note WHERE note_id = l_note_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the note''s owner was not found');
  END IF;
END;`;

async function statement(
  name: string,
  sql: string,
  more: Partial<FixedStatement> = {},
): Promise<FixedStatement> {
  const hash = await statementHash(sql);
  return { name, hash, sql, kind: 'query', binds: {}, shape: {}, outs: [], ...more };
}

/** Texts with what scripts stumble over: quotes, semicolons at the ends of lines, long lines, two texts of one name. */
export async function sampleStatements(): Promise<readonly FixedStatement[]> {
  return [
    await statement('notes.long', LONG_LINE),
    await statement('notes.one', 'SELECT 1 AS one FROM dual', { shape: { one: 'number' } }),
    await statement('notes.one', 'SELECT 1 AS one\nFROM dual', { shape: { one: 'number' } }),
    await statement('notes.delete', BLOCK, { kind: 'atomic', binds: { note_id: 'text' }, outs: ['rows_1'] }),
  ];
}
