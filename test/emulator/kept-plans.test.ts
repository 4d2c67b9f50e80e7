import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../infra/local/oracle/engine/open-database.ts';
import { PostgresConnection } from '../../infra/local/oracle/engine/postgres-connection.ts';
import { PostgresTransaction } from '../../infra/local/oracle/engine/postgres-transaction.ts';

const RUNS = 10;

test('plans are kept for writes, and made for its values each time a query runs by itself', async () => {
  const database = await openDatabase({});
  onTestFinished(() => database.close());
  const connection = new PostgresConnection(database);
  const transaction = new PostgresTransaction(connection, () => undefined);
  const keptPlans = async (sql: string) => {
    const plans = 'SELECT generic_plans FROM pg_prepared_statements WHERE statement = $1';
    return Number((await connection.run(plans, [sql])).rows[0]?.[0]);
  };
  const write = 'INSERT INTO note (content) VALUES ($1)';
  const query = 'SELECT content FROM note WHERE content = $1';
  await connection.control('CREATE TABLE note (content text)');
  for (let run = 0; run < RUNS; run += 1) {
    await transaction.begin();
    await connection.run(write, [String(run)]);
    await transaction.commit();
    await connection.run(query, [String(run)]);
  }
  expect(await keptPlans(write)).toBeGreaterThan(0);
  expect(await keptPlans(query)).toBe(0);
});
