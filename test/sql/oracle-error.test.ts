import { describe, expect, it } from 'vitest';
import { OracleDatabaseError, oracleErrorOf } from '../../lib/sql/oracle-database-error.ts';
import { fromOracleError } from '../../lib/sql/oracle-error.ts';

const map = (number: number | undefined, text: string, facility: 'ORA' | 'NJS' = 'ORA') =>
  fromOracleError({ facility, number, text, statement: 'notes.add' });

describe('fromOracleError', () => {
  it.each([
    ['ORA', 1, 'conflict', false],
    ['ORA', 2292, 'conflict', false],
    ['ORA', 54, 'unavailable', true],
    ['ORA', 60, 'unavailable', true],
    ['ORA', 8177, 'unavailable', true],
    ['ORA', 4068, 'unavailable', true],
    ['ORA', 12899, 'invalid_request', false],
    ['ORA', 40441, 'invalid_request', false],
    ['ORA', 51803, 'invalid_request', false],
    ['ORA', 51805, 'invalid_request', false],
    ['ORA', 1400, 'internal', false],
    ['ORA', 1722, 'internal', false],
    ['ORA', 932, 'internal', false],
    ['ORA', 1461, 'internal', false],
    ['ORA', 942, 'unavailable', false],
    ['ORA', 1031, 'internal', false],
    ['ORA', 41900, 'internal', false],
    ['ORA', 1017, 'internal', false],
    ['ORA', 28000, 'internal', false],
    ['ORA', 12516, 'unavailable', true],
    ['ORA', 12514, 'unavailable', true],
    ['ORA', 1013, 'timeout', true],
    ['ORA', 20404, 'not_found', false],
    ['ORA', 20409, 'conflict', false],
    ['ORA', 20001, 'internal', false],
    ['NJS', 40, 'unavailable', true],
    ['NJS', 76, 'unavailable', true],
    ['NJS', 500, 'unavailable', true],
    ['NJS', 503, 'unavailable', true],
    ['NJS', 511, 'unavailable', true],
    ['NJS', 517, 'unavailable', true],
    ['NJS', 518, 'unavailable', true],
    ['NJS', 168, 'unavailable', true],
    ['NJS', 65, 'unavailable', true],
    ['NJS', 515, 'internal', false],
    ['NJS', 86, 'internal', false],
    ['NJS', 115, 'invalid_request', false],
    ['NJS', 505, 'internal', false],
    ['NJS', 116, 'internal', false],
    ['NJS', 123, 'timeout', true],
    ['NJS', 98, 'internal', false],
    ['NJS', 1, 'internal', false],
  ] as const)('maps %s-%i to %s', (facility, number, code, retryable) => {
    const error = map(number, `${facility}-${String(number).padStart(5, '0')}: SECRET."TABLE_X"`, facility);
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).not.toMatch(/SECRET|TABLE_X|ORA-|NJS-/);
    expect(error.cause).toBeInstanceOf(OracleDatabaseError);
    expect(oracleErrorOf(error)).toMatchObject({ facility, number, statement: 'notes.add' });
  });

  it('says when to try again', () => {
    expect(map(12519, 'ORA-12519: no handler').retryAfterSeconds).toBe(5);
  });

  it('reads why a listener refused a connection', () => {
    const refusal = (number: string) =>
      map(511, `NJS-511: connection to listener at host x was refused. (CONNECTION_ID=1)\n${number}`, 'NJS');
    expect(refusal('ORA-12516').retryAfterSeconds).toBe(5);
    expect(refusal('ORA-12528')).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(refusal('ORA-12560')).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(refusal('refused')).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  });

  it('says how to install what is missing', () => {
    const block =
      'ORA-06550: line 3, column 15:\nPL/SQL: ORA-00942: table or view does not exist\nORA-06550: line 3';
    for (const error of [
      map(6550, block),
      map(6550, "ORA-06550: x\nPLS-00201: identifier 'A' must be declared"),
    ]) {
      expect(error).toMatchObject({ code: 'unavailable', retryable: false });
      expect(error.message).toContain('npm run schema -- apply');
    }
    const isolation = "ORA-06550: line 2\nPLS-00201: identifier 'SHOP_MEMORY_ROW_ACCESS' must be declared";
    expect(map(6550, isolation)).toMatchObject({
      code: 'unavailable',
      retryable: false,
      message: expect.stringContaining('run infra/sql/admin/row_isolation.sql'),
    });
    expect(map(29902, 'ORA-29902: error\nDRG-10599: column is not indexed').message).toContain(
      'npm run schema',
    );
    expect(map(6550, 'ORA-06550: line 1:\nPLS-00103: Encountered the symbol').code).toBe('internal');
  });

  it('reads the number from the text when there is none', () => {
    expect(map(undefined, 'Error at line 1\nORA-00001: unique constraint (M.A_PK) violated').code).toBe(
      'conflict',
    );
    expect(map(undefined, 'something else').code).toBe('internal');
  });

  it('keeps the constraint name and drops the call stack', () => {
    const text =
      'ORA-00001: unique constraint (MEMORY.MEMORY_RECORD_PK) violated on table M.R\nORA-06512: at line 3';
    const cause = oracleErrorOf(map(1, text));
    expect(cause?.constraint).toBe('MEMORY_RECORD_PK');
    expect(cause?.message).not.toContain('ORA-06512');
    expect(oracleErrorOf(map(1, 'ORA-00001: unique constraint ("M"."B_PK") violated'))?.constraint).toBe(
      'B_PK',
    );
    expect(oracleErrorOf(map(1, 'ORA-00001: unique constraint (C_PK) violated'))?.constraint).toBe('C_PK');
    expect(oracleErrorOf(map(942, 'ORA-00942: table'))?.constraint).toBeUndefined();
  });

  it('passes only messages that the list itself declares', () => {
    const expectations = [{ rows: 1, otherwise: 'not_found', message: 'thread not found' }] as const;
    const failure = (text: string) =>
      fromOracleError({ number: 20404, text, statement: 'l', expectations }).message;
    expect(failure('ORA-20404: thread not found\nORA-06512: at line 1')).toBe('thread not found');
    expect(failure('ORA-20404: row X of a trigger')).toBe('not found');
  });
});
