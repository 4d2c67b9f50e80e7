import { describe, expect, it } from 'vitest';
import { readWindow } from '../../lib/client/read-window.ts';
import type { Message, MessagesResponse } from '../../lib/schemas/message.ts';

function message(id: string): Message {
  return { id, role: 'user', content: id, timestamp: '2026-01-01T00:00:00.000Z', metadata: {} };
}

/** A service of messages `0` … `9` that answers at most three at once; before each answer it forgets the given ones. */
function createService(forgotten: readonly (readonly number[])[]) {
  let held = Array.from({ length: 10 }, (_, index) => `${index}`);
  const left = [...forgotten];
  const asked: string[] = [];
  const readAnswer = async (window: {
    readonly start: number | undefined;
    readonly end: number | undefined;
  }): Promise<MessagesResponse> => {
    const gone = left.shift() ?? [];
    held = held.filter((id) => !gone.includes(Number(id)));
    const start = window.start ?? 0;
    const end = window.end === undefined || window.end === -1 ? held.length : window.end;
    asked.push(`${window.start ?? ''}-${window.end ?? ''}`);
    const ids = held.slice(start, Math.min(end, start + 3));
    const reached = start + ids.length;
    const isAll = ids.length === 0 || reached >= Math.min(end, held.length);
    return { messages: ids.map(message), nextStart: isAll ? null : reached };
  };
  return { readAnswer, asked };
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('a window over several answers of the service (contract §4.6)', () => {
  it.each([
    ['nothing', { start: 0, end: -1 }, [], ALL],
    ['what was read', { start: 0, end: -1 }, [[], [0]], ALL],
    ['the last that was read', { start: 0, end: -1 }, [[], [2]], ALL],
    ['much of what was read', { start: 0, end: -1 }, [[], [], [0, 1, 3, 4]], ALL],
    ['all that was read', { start: 0, end: -1 }, [[], [0, 1, 2]], ALL],
    ['what comes before the window', { start: 4, end: -1 }, [[], [0, 1]], [4, 5, 6, 7, 8, 9]],
    ['all that was read of a later window', { start: 4, end: -1 }, [[], [4, 5, 6]], [4, 5, 6, 7, 8, 9]],
    ['what was not read yet', { start: 0, end: -1 }, [[], [3, 9]], [0, 1, 2, 4, 5, 6, 7, 8]],
    ['everything', { start: 0, end: -1 }, [[], ALL], [0, 1, 2]],
    ['what was read of a window that ends', { start: 1, end: 6 }, [[], [1, 2]], [1, 2, 3, 4, 5]],
    ['what was read of a window without an end', { start: undefined, end: undefined }, [[], [0]], ALL],
  ])('is whole when somebody deletes %s', async (_name, window, forgotten, expected) => {
    const { readAnswer } = createService(forgotten);
    const messages = await readWindow(readAnswer, window);
    expect(messages.map(({ id }) => Number(id))).toEqual(expected);
  });

  it('asks for one message more each time, when nothing goes', async () => {
    const { readAnswer, asked } = createService([]);
    await readWindow(readAnswer, { start: 0, end: 8 });
    expect(asked).toEqual(['0-8', '2-8', '4-8', '6-8']);
  });

  it('fails when an answer does not go on', async () => {
    const answers: MessagesResponse[] = [
      { messages: [message('a')], nextStart: 1 },
      { messages: [], nextStart: 1 },
    ];
    const reading = readWindow(async () => answers.shift() ?? expect.fail('one answer too many'), {
      start: 0,
      end: -1,
    });
    await expect(reading).rejects.toMatchObject({ code: 'internal' });
  });
});
