import { describe, expect, it } from 'vitest';
import { createSchemaNames } from '../../../lib/schema/schema-names.ts';
import type { Product } from '../product.ts';
import { NotAsked, StatementRefused } from '../raw/raw-database.ts';
import type { RawThin } from '../raw/raw-thin.ts';
import { askProbe } from './ask-probe.ts';
import type { Probe, ProbeDesk, ProbePoint } from './probe.ts';

const names = createSchemaNames({ memoryStoreId: 'LIVE000000PT' });

/** A database that answers every statement in one way. */
function deskOf(answer: unknown, kind: Product['kind'] = 'oracle'): ProbeDesk {
  const database: RawThin = {
    transport: 'thin',
    hasPassword: true,
    async ask() {
      if (answer instanceof Error) throw answer;
      return { rows: [{ value: answer }], outs: {} };
    },
    connect: async () => 1,
    async close() {},
  };
  return {
    database,
    product: { kind, name: kind },
    other: undefined,
    names,
    name: (object) => `${names.prefix}${object}`,
  };
}

const sql = `SELECT t.value AS value FROM ${names.prefix}VALUE t`;
const informing: ProbePoint = {
  asks: 'what is it',
  tell: async ({ database }) => JSON.stringify((await database.ask({ sql })).rows),
};
const assuming: ProbePoint = {
  asks: 'is it one',
  assumes: 'it is one',
  place: 'lib/sql/bind.ts: number',
  async judge({ database }) {
    const { rows } = await database.ask({ sql });
    return { holds: rows[0]?.value === 1, answer: String(rows[0]?.value) };
  },
};
const overOrds: ProbePoint = { ...informing, over: ['ords'] };
const probe: Probe = { number: 1, question: 'what is it', points: [informing, assuming, overOrds] };

async function verdicts(desk: ProbeDesk, asked = probe) {
  return (await askProbe(asked, desk)).map(({ verdict }) => verdict);
}

describe('a point of a probe', () => {
  it('informs, holds or does not hold, over the transports that it is about', async () => {
    expect(await verdicts(deskOf(1))).toEqual(['informs', 'holds']);
    expect(await verdicts(deskOf(2))).toEqual(['informs', 'does_not_hold']);
  });

  it('is written down with what was sent, without the names of the run', async () => {
    const [told, judged] = await askProbe(probe, deskOf(2));
    expect(told).toMatchObject({ transport: 'thin', answer: '[{"value":2}]' });
    expect(judged?.statements).toEqual(['SELECT t.value AS value FROM PREFIX_VALUE t']);
  });

  it('is answered by a refusal', async () => {
    const refusal = new StatementRefused(904, 'ORA-00904: invalid identifier', 'HTTP 200');
    expect(await verdicts(deskOf(refusal))).toEqual(['informs', 'does_not_hold']);
    expect((await askProbe(probe, deskOf(refusal)))[0]?.answer).toBe(
      'refused: HTTP 200: ORA-00904: invalid identifier',
    );
  });

  it.each([
    ['no answer comes', new NotAsked('no answer')],
    ['a privilege is missing', new StatementRefused(1031, 'ORA-01031: insufficient privileges', '')],
    [
      'a package is out of reach',
      new StatementRefused(6550, "PLS-00201: identifier 'CTX_DDL' must be declared", ''),
    ],
  ])('is not answered when %s', async (_title, error) => {
    expect(await verdicts(deskOf(error))).toEqual(['not_asked', 'not_asked']);
  });

  it('is not answered by what the emulator lacks, which on Oracle is an answer', async () => {
    const lacking = new StatementRefused(3001, 'ORA-03001: unimplemented feature', '');
    expect(await verdicts(deskOf(lacking, 'emulator'))).toEqual(['not_asked', 'not_asked']);
    expect(await verdicts(deskOf(lacking))).toEqual(['informs', 'does_not_hold']);
  });

  it('is not asked when what it needs cannot be created', async () => {
    const unprepared: Probe = {
      ...probe,
      async prepare() {
        throw new StatementRefused(955, 'ORA-00955: name is already used', '');
      },
    };
    expect(await verdicts(deskOf(1), unprepared)).toEqual(['not_asked', 'not_asked']);
  });

  it('does not hold when this program cannot read the answer', async () => {
    const unreadable: Probe = {
      ...probe,
      points: [{ ...assuming, judge: () => Promise.reject(new TypeError('not a number')) }],
    };
    expect(await verdicts(deskOf(1), unreadable)).toEqual(['does_not_hold']);
  });
});
