import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholderNames, scanSql } from '../../lib/sql/sql-scanner.ts';

const kinds = (sql: string) => scanSql(sql).map((piece) => `${piece.kind} ${piece.text}`);

describe('scanSql', () => {
  it('tells code, quoted text, comments and placeholders apart', () => {
    expect(kinds(`a = :b AND c = 'it''s :d' /* :e */ || "f:g" -- :h\n+ :i_1`)).toEqual([
      'code a = ',
      'placeholder :b',
      'code  AND c = ',
      "quoted 'it''s :d'",
      'code  ',
      'comment /* :e */',
      'code  || ',
      'quoted "f:g"',
      'code  ',
      'comment -- :h',
      'code \n+ ',
      'placeholder :i_1',
    ]);
  });

  it.each(["q'[it's :x]'", "Q'{:x}'", "nq'(:x)'", "q'<:x'y>'", "q'!:x'!'", "N':x'"])(
    'takes %s as quoted',
    (literal) => {
      expect(placeholderNames(`SELECT ${literal} AS a, :y AS b FROM dual`)).toEqual(new Set(['y']));
    },
  );

  it('takes a name that ends in q before a literal as a name', () => {
    expect(placeholderNames("SELECT seq'[:x' || :y FROM dual")).toEqual(new Set(['y']));
  });

  it('ends at the end of the text when something is not closed', () => {
    for (const open of ["'a :x", '"a :x', '/* :x', '-- :x', "q'[ :x'"]) {
      expect(placeholderNames(`:y ${open}`)).toEqual(new Set(['y']));
    }
  });

  it('loses nothing of any text', () => {
    const fragment = fc.constantFrom(
      "'",
      '"',
      '--',
      '/*',
      '*/',
      "q'[",
      "]'",
      ':a',
      ':',
      '\n',
      ' ',
      'x',
      "''",
      ';',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
        const sql = fragments.join('');
        const pieces = scanSql(sql);
        expect(pieces.map((piece) => piece.text).join('')).toBe(sql);
        expect(pieces.every((piece) => piece.text.length > 0)).toBe(true);
      }),
    );
  });
});
