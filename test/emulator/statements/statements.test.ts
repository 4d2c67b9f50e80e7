import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOracleEngine } from '../../../infra/local/oracle/engine/create-oracle-engine.ts';
import type {
  EngineResult,
  OracleEngine,
  OracleSession,
} from '../../../infra/local/oracle/engine/oracle-engine.ts';
import { OracleError } from '../../../infra/local/oracle/sql/oracle-error.ts';
import { EXAMPLE_ROWS, EXAMPLE_SCHEMA } from './example-schema.ts';
import type { StatementCase } from './statement-case.ts';
import { STATEMENT_TABLES } from './statement-tables.ts';

let engine: OracleEngine;

async function runAll(session: OracleSession, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await session.execute(statement, []);
}

beforeAll(async () => {
  engine = await createOracleEngine({});
  const session = engine.openSession();
  await runAll(session, [...EXAMPLE_SCHEMA, ...EXAMPLE_ROWS]);
  await session.commit();
  await session.close();
}, 120_000);

afterAll(() => engine.close());

async function numberOfRefusal(session: OracleSession, expected: StatementCase): Promise<number> {
  try {
    await session.execute(expected.sql, expected.binds ?? []);
  } catch (error) {
    if (error instanceof OracleError) return error.number;
    throw error;
  }
  throw new Error(`accepted, but Oracle answers ORA-${String(expected.error)}`);
}

function compareResult(result: EngineResult, expected: StatementCase): void {
  if (expected.columns) expect(result.columns.map((column) => column.name)).toEqual(expected.columns);
  if (expected.rows) expect(result.rows).toEqual(expected.rows);
  if (expected.affected !== undefined) expect(result.rowsAffected).toBe(expected.affected);
  if (expected.out) expect(result.outBinds).toEqual(expected.out);
}

async function check(session: OracleSession, expected: StatementCase): Promise<void> {
  await runAll(session, expected.setup ?? []);
  if (expected.error === undefined) {
    compareResult(await session.execute(expected.sql, expected.binds ?? []), expected);
  } else {
    expect([expected.error].flat()).toContain(await numberOfRefusal(session, expected));
  }
  if (expected.afterwards) {
    const { rows } = await session.execute(expected.afterwards.sql, []);
    expect(rows).toEqual(expected.afterwards.rows);
  }
}

describe.each(Object.entries(STATEMENT_TABLES))('%s', (_table, cases) => {
  test.each(cases.map((expected) => [expected.title, expected] as const))('%s', async (_title, expected) => {
    const session = engine.openSession();
    try {
      await check(session, expected);
    } finally {
      await session.close();
    }
  });
});
