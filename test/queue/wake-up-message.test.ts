import { describe, expect, it } from 'vitest';
import { readWakeUpMessage, writeWakeUpMessage } from '../../lib/queue/wake-up-message.ts';

describe('a queue message', () => {
  it.each([
    ['{"jobId":"a"}', 'a'],
    [{ jobId: 'a' }, 'a'],
    ['{"jobId":"a","of":"a later version"}', 'a'],
  ])('%j names the job %s', (body, jobId) => {
    expect(readWakeUpMessage(body)).toEqual({ jobId });
  });

  it.each(['a', '"\\', '日本', '😀', '\uFFFF'])(
    'is ASCII for the job %s and reads as it was written',
    (jobId) => {
      const text = writeWakeUpMessage({ jobId });
      expect(text).toMatch(/^[ -~]+$/);
      expect(readWakeUpMessage(text)).toEqual({ jobId });
    },
  );

  it.each([
    '',
    'secret',
    '{"jobId":',
    '{"jobId":""}',
    '{"jobId":7}',
    '["a"]',
    'null',
    null,
    undefined,
    7,
    {},
  ])('%j is refused without being repeated', (body) => {
    expect(() => readWakeUpMessage(body)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'the queue message names no extraction job',
      }),
    );
  });
});
