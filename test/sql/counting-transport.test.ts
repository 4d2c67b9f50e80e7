import { expect, it } from 'vitest';
import { type DatabaseCall, withCounting } from '../../lib/sql/counting-transport.ts';
import { REPLIES, scriptedOrds, silence } from './scripted-ords.ts';

const QUERY = { name: 'q', sql: 'SELECT 1 AS one FROM dual', binds: {}, shape: { one: 'number' } } as const;
const LIST = { name: 'l', binds: {}, statements: [{ name: 's', sql: 'DELETE FROM note' }] };

it('counts every call, reports its outcome and passes results and errors through', async () => {
  const calls: DatabaseCall[] = [];
  let time = 0;
  const { rows, failure } = REPLIES['rest-sql'];
  const { transport } = scriptedOrds([rows(['one'], [[1]]), failure(1, 'ORA-00001: x'), silence]);
  const counting = withCounting(transport, { onCall: (call) => calls.push(call), now: () => (time += 5) });
  expect(await counting.query(QUERY)).toEqual([{ one: 1 }]);
  await expect(counting.executeAtomic(LIST)).rejects.toMatchObject({ code: 'conflict' });
  await expect(counting.executeDdl('DROP TABLE note', { signal: AbortSignal.abort('stop') })).rejects.toBe(
    'stop',
  );
  expect(counting.roundTrips).toBe(3);
  expect(counting.milliseconds).toBe(15);
  expect(calls).toEqual([
    { kind: 'query', name: 'q', milliseconds: 5, outcome: 'ok' },
    { kind: 'atomic', name: 'l', milliseconds: 5, outcome: 'conflict' },
    { kind: 'ddl', name: 'ddl', milliseconds: 5, outcome: 'aborted' },
  ]);
  expect(counting.capabilities).toBe(transport.capabilities);
});
