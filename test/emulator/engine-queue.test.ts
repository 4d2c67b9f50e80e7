import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { EngineQueue } from '../../infra/local/oracle/engine/engine-queue.ts';
import { errorOf } from './engine-fixture.ts';

describe('the queue for the engine', () => {
  test('lets the process do what has arrived between two turns', async () => {
    const queue = new EngineQueue();
    const order: string[] = [];
    await queue.acquire();
    const turns = ['one', 'other'].map(async (name) => {
      await queue.acquire();
      order.push(name);
      setImmediate(() => order.push(`arrived during ${name}`));
      queue.release();
    });
    setImmediate(() => order.push('arrived'));
    queue.release();
    await Promise.all(turns);
    expect(order).toEqual(['arrived', 'one', 'arrived during one', 'other']);
  });

  test('refuses everyone who waits when it closes between two turns', async () => {
    const queue = new EngineQueue();
    await queue.acquire();
    const waiting = errorOf(queue.acquire());
    queue.release();
    queue.close();
    expect((await waiting).number).toBe(1089);
    await nextTurn();
    expect((await errorOf(queue.acquire())).number).toBe(1089);
  });
});
