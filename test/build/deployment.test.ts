import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { parse } from 'yaml';
import * as z from 'zod';
import { createJsonLogger, type Logger } from '../../functions/http/logger.ts';
import { environmentSchema } from '../../functions/runtime/environment-schema.ts';
import type { JobRun } from '../../lib/memory/extraction/run-job.ts';
import type { SweepOutcome } from '../../lib/memory/sweep-jobs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNOWN_VARIABLES = Object.keys(environmentSchema.shape);

/** A filter by regular expression: between percent signs (CloudWatch Logs, filter pattern syntax). */
const filterSchema = z.looseObject({
  Properties: z.looseObject({
    FilterPattern: z
      .string()
      .regex(/^%.+%$/)
      .transform((pattern) => new RegExp(pattern.slice(1, -1))),
  }),
});
const serverlessSchema = z.looseObject({
  resources: z.looseObject({
    Resources: z.looseObject({ JobDeadFilter: filterSchema, JobDeadInSweepFilter: filterSchema }),
  }),
});
const serverless = serverlessSchema.parse(
  parse(readFileSync(`${ROOT}/serverless.yml`, 'utf8'), { merge: true }),
);
const RESOURCES = serverless.resources.Resources;

describe('the filters of dead jobs', () => {
  function lineOf(write: (logger: Logger) => void): string {
    const lines: string[] = [];
    write(createJsonLogger('debug', (line) => lines.push(line)));
    return lines.join('\n');
  }
  const handled = (outcome: JobRun['outcome']) => {
    const run: JobRun = { jobId: 'deadbeef', outcome, reasonCode: 'timeout', llmCalls: 1 };
    return lineOf((logger) => logger.log('info', 'message_handled', { job: 'extract', ...run }));
  };
  const swept = (dead: number) => {
    const outcome: SweepOutcome = { dead, woken: 1, failedWakeUps: 0, prunedJobs: 0, prunedRequests: 0 };
    return lineOf((logger) => logger.log('info', 'job_finished', { job: 'sweep', ...outcome }));
  };

  it('find the lines of the log that tell of one, and no others', () => {
    const inExtract = RESOURCES.JobDeadFilter.Properties.FilterPattern;
    const outcomes = ['nothing_due', 'succeeded', 'failed', 'released', 'dead', 'lost'] as const;
    expect(outcomes.filter((outcome) => inExtract.test(handled(outcome)))).toEqual(['dead']);
    const inSweep = RESOURCES.JobDeadInSweepFilter.Properties.FilterPattern;
    expect([0, 1, 10, 27].filter((dead) => inSweep.test(swept(dead)))).toEqual([1, 10, 27]);
  });
});

describe('wrangler.toml', () => {
  const config = unstable_readConfig({ config: `${ROOT}/wrangler.toml` });

  it('sends to the queue that it consumes, and sets messages aside as often as SQS does', () => {
    const [producer] = config.queues.producers ?? [];
    const [consumer] = config.queues.consumers ?? [];
    expect(config.vars.JOB_QUEUE).toBe('cloudflare-queue');
    expect(producer).toMatchObject({ binding: 'JOBS', queue: consumer?.queue });
    expect(consumer).toMatchObject({ max_batch_size: 1, max_retries: 2 });
    expect(consumer?.dead_letter_queue).toBe(`${consumer?.queue}-dead`);
  });

  it('has a cron trigger for each scheduled job of the Worker', () => {
    const worker = readFileSync(`${ROOT}/functions/worker.ts`, 'utf8');
    const scheduled = Object.fromEntries(
      [...worker.matchAll(/'([^']+)': (\w+)Job\b/g)].map(([, cron, name]) => [name, cron]),
    );
    expect(scheduled).toEqual({ sweep: '* * * * *', purge: '17 * * * *' });
    expect(config.triggers.crons).toEqual(Object.values(scheduled));
  });

  it('sets only variables that the configuration reads', () => {
    expect(Object.keys(config.vars).filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
  });
});
