import { ALL_OPERATIONS } from './operations.ts';
import { createDeployedServices } from './runtime/deployed-services.ts';
import { loadTokenizer } from './runtime/load-tokenizer.ts';
import { createWorker } from './runtime/worker.ts';

/** Entry of the Cloudflare Worker: every operation over one app. */
export default createWorker(ALL_OPERATIONS, (environment, writeLine) =>
  createDeployedServices(environment, { loadTokenizer, writeLine }),
);
