import { extractJob } from './jobs/extract.ts';
import { purgeJob } from './jobs/purge.ts';
import { sweepJob } from './jobs/sweep.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import { ALL_OPERATIONS } from './operations.ts';
import { createDeployedServices } from './runtime/deployed-services.ts';
import { loadTokenizer } from './runtime/load-tokenizer.ts';
import { rateLimitBinding } from './runtime/rate-limit-binding.ts';
import { createWorker } from './runtime/worker.ts';
import { createWorkerJobQueue } from './runtime/worker-job-queue.ts';

/** Entry of the Cloudflare Worker: every operation over one app, the jobs of its cron triggers and of its queue. */
export default createWorker({
  operations: ALL_OPERATIONS,
  mountMore: mountMcp,
  scheduledJobs: { '* * * * *': sweepJob, '17 * * * *': purgeJob },
  queueJob: extractJob,
  createServices: (environment, writeLine) =>
    createDeployedServices(environment, {
      loadTokenizer,
      createJobQueue: (configuration) => createWorkerJobQueue(configuration, environment),
      findRateLimit: (ratePerMinute) => rateLimitBinding(environment, ratePerMinute),
      writeLine,
    }),
});
