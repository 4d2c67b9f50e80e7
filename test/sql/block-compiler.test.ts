import { describe, expect, it } from 'vitest';
import { type Bind, clob, number, text } from '../../lib/sql/bind.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import type { AtomicList } from '../../lib/sql/statement.ts';

const LIST: AtomicList = {
  name: 'notes.add',
  binds: { note_id: text('n1'), content: clob('hello'), amount: number(2) },
  statements: [
    {
      name: 'note',
      sql: "UPDATE note n SET n.content = :content, n.seen_at = :now, n.label = 'it''s :amount' WHERE n.note_id = :note_id",
      expect: { rows: 1, otherwise: 'not_found', message: "the note's owner was not found" },
    },
    { name: 'total', sql: 'INSERT INTO total (note_id, amount) VALUES (:note_id, :amount)' },
  ],
};

function refusal(list: AtomicList): string {
  try {
    compileBlock(list);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Error) return error.cause.message;
    throw error;
  }
  return 'accepted';
}

const withSql = (sql: string): AtomicList => ({ name: 'l', binds: {}, statements: [{ name: 's', sql }] });

describe('compileBlock', () => {
  it('assigns each bind once, counts rows and raises for a missed expectation', () => {
    const block = compileBlock(LIST);
    expect(block.sql).toBe(
      [
        'DECLARE',
        '  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;',
        '  l_note_id VARCHAR2(4000 CHAR) := :note_id;',
        '  l_content CLOB := :content;',
        '  l_amount NUMBER := :amount;',
        'BEGIN',
        "  UPDATE note n SET n.content = l_content, n.seen_at = l_now, n.label = 'it''s :amount' WHERE n.note_id = l_note_id;",
        '  :rows_1 := SQL%ROWCOUNT;',
        '  IF SQL%ROWCOUNT <> 1 THEN',
        "    RAISE_APPLICATION_ERROR(-20404, 'the note''s owner was not found');",
        '  END IF;',
        '  INSERT INTO total (note_id, amount) VALUES (l_note_id, l_amount);',
        '  :rows_2 := SQL%ROWCOUNT;',
        'END;',
      ].join('\n'),
    );
    expect(block.outs).toEqual([
      { name: 'rows_1', statement: 'note' },
      { name: 'rows_2', statement: 'total' },
    ]);
    expect(block.binds).toBe(LIST.binds);
  });

  it('gives the same text whatever the values are', () => {
    const other = {
      ...LIST,
      binds: { note_id: text("'; DROP TABLE note"), content: clob(null), amount: number(9) },
    };
    expect(compileBlock(other).sql).toBe(compileBlock(LIST).sql);
  });

  it('compares a row count with a bind, so that the text is the same for any number', () => {
    const expecting = (bind: Bind): AtomicList => ({
      name: 'l',
      binds: { total: bind },
      statements: [
        {
          name: 's',
          sql: 'DELETE FROM note',
          expect: { rows: { bind: 'total' }, otherwise: 'conflict', message: 'not all' },
        },
      ],
    });
    expect(compileBlock(expecting(number(3))).sql).toContain('IF SQL%ROWCOUNT <> l_total THEN');
    for (const bind of [number(null), number(-1), number(1.5), text('3')]) {
      expect(refusal(expecting(bind))).toContain('not a whole number');
    }
  });

  it('leaves out the declarations when there is nothing to declare', () => {
    expect(compileBlock(withSql('DELETE FROM note')).sql).toBe(
      'BEGIN\n  DELETE FROM note;\n  :rows_1 := SQL%ROWCOUNT;\nEND;',
    );
  });

  it('leaves placeholders in literals and quoted identifiers alone', () => {
    const sql = `UPDATE note SET a = q'[it's :x]', b = 'HH24:MI', "c:d" = nq'{:y}', e = 'q''[' WHERE f = 1`;
    expect(compileBlock(withSql(sql)).sql).toContain(`  ${sql};`);
  });

  it.each<[string, AtomicList, string]>([
    ['an empty list', { name: 'l', binds: {}, statements: [] }, 'empty'],
    ['an unknown bind', withSql('DELETE FROM note WHERE id = :id'), 'bind id has no value'],
    ['an unused bind', { ...withSql('DELETE FROM note'), binds: { id: text('1') } }, 'bind id is not used'],
    [
      'a reserved bind',
      { ...withSql('DELETE FROM n WHERE a = :size'), binds: { size: number(1) } },
      'reserved word',
    ],
    [
      'a bind named now',
      { ...withSql('DELETE FROM n WHERE a = :now'), binds: { now: number(1) } },
      'now is reserved',
    ],
    [
      'a bind named rows_1',
      { ...withSql('DELETE FROM n WHERE a = :rows_1'), binds: { rows_1: number(1) } },
      'reserved',
    ],
    [
      'a camelCase bind',
      { ...withSql('DELETE FROM n WHERE a = :noteId'), binds: { noteId: number(1) } },
      'lower_snake',
    ],
    [
      'an over-long bind name',
      { ...withSql(`DELETE FROM n WHERE a = :${'a'.repeat(121)}`), binds: { ['a'.repeat(121)]: number(1) } },
      'too long',
    ],
    [
      'two statements of one name',
      { ...withSql(''), statements: [1, 2].map(() => ({ name: 's', sql: 'DELETE FROM note' })) },
      'used twice',
    ],
    ['a query', withSql('SELECT 1 AS one FROM dual'), 'not an INSERT'],
    ['a second statement', withSql('DELETE FROM a; DELETE FROM b'), 'stray'],
    ['a comment', withSql('DELETE FROM a -- all'), 'comment'],
    ['a substitution variable', withSql("DELETE FROM a WHERE b = 'x&y'"), '&'],
    ['a blank line', withSql('DELETE FROM a\n\nWHERE b = 1'), 'blank line'],
    ['a command line', withSql('DELETE FROM a WHERE b = 4\n/ 2'), 'command character'],
    [
      'long text bound as text',
      { ...withSql('DELETE FROM a WHERE b = :b'), binds: { b: text('ä'.repeat(2001)) } },
      'bind it as clob',
    ],
    [
      'a number that is not exact',
      { ...withSql('DELETE FROM a WHERE b = :b'), binds: { b: number(2 ** 53) } },
      'not an exact number',
    ],
  ])('refuses %s', (_name, list, detail) => {
    expect(refusal(list)).toContain(detail);
  });

  it('accepts text of exactly 4,000 bytes', () => {
    const list = { ...withSql('DELETE FROM a WHERE b = :b'), binds: { b: text('ä'.repeat(2000)) } };
    expect(refusal(list)).toBe('accepted');
  });
});
