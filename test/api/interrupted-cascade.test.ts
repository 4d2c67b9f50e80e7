import { afterAll, beforeAll, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';

let api: ApiFixture;
/** Statements that may still run before one fails; null = all of them. */
let statementsLeft: number | null = null;

function countDown(): void {
  if (statementsLeft === null) return;
  if (statementsLeft === 0) throw new OracleError(60, 'deadlock detected while waiting for resource');
  statementsLeft -= 1;
}

beforeAll(async () => {
  api = await startApi({ faults: { beforeStatement: countDown } });
  for (const userId of ['ana', 'ben']) {
    const thread = await api.client.createThread({
      threadId: `thread of ${userId}`,
      userId,
      agentId: 'guide',
    });
    await thread.addMessages([{ role: 'user', content: 'I like tea.' }]);
    await thread.addMemory('likes tea');
    await api.client.addMemory('likes coffee', { userId });
    await api.client.addUser(userId, 'drinks');
  }
});
afterAll(() => api.close());

it('a cascade that the database stops half way deletes nothing, and the same call then succeeds', async () => {
  const before = await api.countRows();
  for (let statements = 0; statements < 9; statements += 1) {
    statementsLeft = statements;
    const stopped = api.client.deleteUser('ana', { cascade: true });
    await expect(stopped).rejects.toMatchObject({ code: 'unavailable' });
    statementsLeft = null;
    expect(await api.countRows()).toBe(before);
  }
  const ofBen = await api.client.deleteUser('ben', { cascade: true, dryRun: true });
  expect(await api.client.deleteUser('ana', { cascade: true })).toBe(5);
  expect(await api.client.deleteUser('ben', { cascade: true, dryRun: true })).toBe(ofBen);
  expect(await api.client.deleteUser('ben', { cascade: true })).toBe(5);
  expect(await api.client.listThreads()).toEqual({ items: [], nextCursor: null });
});
