import { purgeJob } from './jobs/purge.ts';
import { ALL_OPERATIONS } from './operations.ts';
import { createDeployedServices } from './runtime/deployed-services.ts';
import { loadTokenizer } from './runtime/load-tokenizer.ts';
import { createWorker } from './runtime/worker.ts';
import { createWorkerJobQueue } from './runtime/worker-job-queue.ts';

/** Entry of the Cloudflare Worker: every operation over one app, and the jobs of its cron triggers. */
export default createWorker({
  operations: ALL_OPERATIONS,
  jobs: [purgeJob],
  createServices: (environment, writeLine) =>
    createDeployedServices(environment, {
      loadTokenizer,
      createJobQueue: (configuration) => createWorkerJobQueue(configuration, environment),
      writeLine,
    }),
});
