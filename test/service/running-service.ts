import { onTestFinished } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../../bench/service-process.ts';

/** A process of `npm start` that ends with the test at the latest. */
export async function runningService(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const starting = startServiceProcess(settings);
  // Before the answer: a test that fails meanwhile must not leave the process.
  onTestFinished(async () => {
    const [started] = await Promise.allSettled([starting]);
    if (started.status === 'fulfilled') await started.value.stop('SIGKILL');
  });
  return starting;
}
