import { describe, expect, it } from 'vitest';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';

/** Nothing here runs DBMS_SQL and HTP, so what the package must not do is looked for in its text. */
const source = readProjectFile('infra/ords/call_package.sql').replace(/^ *--[^\n]*\n/gm, '');

describe('the package that runs installed statements', () => {
  it('notices each value of the request that JSON_OBJECT_T gave NULL for', () => {
    const reads = [...source.matchAll(/l_(\w+) := p_values\.get_\w+\(p_name\);\n([^\n]*)/g)];
    expect(reads).toHaveLength(3);
    for (const [, variable = '', next = ''] of reads) {
      expect(next.trim()).toMatch(new RegExp(`^l_is_lost := l_${variable} IS NULL\\b`));
    }
    expect(source).toMatch(/IF l_is_lost THEN\n {6}RAISE_APPLICATION_ERROR\(c_bad_call,/);
  });

  it('refuses a body that is no object and a limit that is no number, as the emulator does', () => {
    expect(source).toMatch(/IF l_request IS NULL THEN\n {6}RAISE VALUE_ERROR;/);
    expect(source).toMatch(
      /ELSIF l_limit IS NULL OR l_limit < 1 THEN\n {6}RAISE_APPLICATION_ERROR\(c_bad_call,/,
    );
  });

  it('makes no NULL of a text that cannot be written', () => {
    const functions = [...source.matchAll(/JSON_SERIALIZE\(.*? INTO/g)].map(([text]) => text);
    expect(functions).toHaveLength(1);
    for (const text of functions) expect(text).toContain('ERROR ON ERROR');
  });

  it('makes a temporary CLOB of a VARCHAR2 only where the text is long', () => {
    const made = source.split('\n').filter((line) => line.includes('TO_CLOB('));
    expect(made.map((line) => line.trim())).toEqual(['append_text(p_answer, TO_CLOB(p_text));']);
    expect(source).toContain('LENGTHB(p_text) <= c_short_text');
    const [, length] = /c_short_text CONSTANT PLS_INTEGER := (\d+)/.exec(source) ?? [];
    expect(Number(length) * 6 + 2).toBeLessThan(32_767);
  });

  it('escapes every control character, of which the first is NUL', () => {
    expect(source).toContain('FOR i IN 0 .. 31 LOOP');
  });

  it('says ORA-01403 and no other number of NO_DATA_FOUND, whose code is 100', () => {
    expect(source).toContain('CASE SQLCODE WHEN 100 THEN -1403 ELSE SQLCODE END');
  });
});
