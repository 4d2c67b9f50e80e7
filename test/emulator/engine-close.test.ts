import { expect, test } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { addNote, errorOf, startNotesEngine, titles } from './engine-fixture.ts';

test('a closed engine refuses new calls and those that wait', async () => {
  const engine = await startNotesEngine();
  const holder = engine.openSession();
  await holder.execute(addNote(2, 'second'), []);
  const waiting = errorOf(titles(engine.openSession()));
  await engine.close();
  expect((await waiting).number).toBe(1089);
  expect((await errorOf(holder.commit())).number).toBe(1089);
});

test('an image holds what was committed and not what was not', async () => {
  const engine = await startNotesEngine();
  const session = engine.openSession();
  await session.execute(addNote(2, 'second'), []);
  await session.commit();
  const snapshot = await engine.snapshot();
  await session.execute(addNote(3, 'third'), []);
  await session.commit();
  await engine.close();
  const copy = await startNotesEngine({ snapshot });
  expect(await titles(copy.openSession())).toEqual(['first', 'second']);
  expect((await errorOf(copy.openSession().execute('CREATE TABLE notes (id NUMBER)', []))).number).toBe(955);
  await copy.close();
});

test('fault hooks fail a statement, also inside a block, and lose an answer after the commit', async () => {
  const seen: string[] = [];
  let failAt = '';
  const engine = await startNotesEngine({
    faults: {
      beforeStatement(text) {
        seen.push(text);
        if (failAt !== '' && text.includes(failAt)) {
          throw new OracleError(60, 'deadlock detected while waiting for resource');
        }
      },
      afterCommit() {
        if (failAt === 'commit') {
          throw new Error('the answer is lost');
        }
      },
    },
  });
  const session = engine.openSession();
  failAt = "'third'";
  const block = `BEGIN ${addNote(2, 'second')}; ${addNote(3, 'third')}; END;`;
  expect((await errorOf(session.execute(block, []))).message).toMatch(
    /^ORA-00060: .*\nORA-06512: at line 1$/,
  );
  expect(await titles(session)).toEqual(['first']);
  expect(seen).toContain(addNote(3, 'third'));
  failAt = 'commit';
  await session.execute(addNote(4, 'fourth'), []);
  await expect(session.commit()).rejects.toThrow('the answer is lost');
  expect(await titles(session)).toEqual(['first', 'fourth']);
  await engine.close();
});
