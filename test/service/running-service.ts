import { onTestFinished } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../../bench/service-process.ts';

/** A process of `npm start` that ends with the test at the latest. */
export async function runningService(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await startServiceProcess(settings);
  onTestFinished(() => service.stop('SIGKILL'));
  return service;
}
