import { expect, it } from 'vitest';
import { openLocalQueue } from '../../infra/local/open-local-queue.ts';
import { createManualClock } from '../../lib/testing/manual-clock.ts';
import { createServiceDouble } from '../runtime/service-double.ts';

it('hands back what runs in the process at once when it stops', async () => {
  const clock = createManualClock({ sleepAdvances: false });
  const failures: unknown[] = [];
  const queue = await openLocalQueue(
    { kind: 'inline' },
    { dataDirectory: undefined, clock, reportFailure: (error) => failures.push(error) },
  );
  const started = Promise.withResolvers<void>();
  const { services, logged } = createServiceDouble({
    openContext: (_meter, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        started.resolve();
      }),
  });
  queue.consume(services);
  await queue.jobQueue.send({ jobId: 'a' });
  await started.promise;
  const stopping = queue.stop();
  clock.advance(0);
  await stopping;
  expect(logged).toEqual([{ level: 'info', event: 'message_returned', job: 'extract', jobId: 'a' }]);
  expect(failures).toEqual([]);
});
