import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { parse } from 'yaml';
import * as z from 'zod';
import { createJsonLogger, type Logger } from '../../functions/http/logger.ts';
import { environmentSchema } from '../../functions/runtime/environment-schema.ts';
import { LAMBDA_FUNCTIONS } from '../../infra/build/lambda-functions.ts';
import type { JobRun } from '../../lib/memory/extraction/run-job.ts';
import type { SweepOutcome } from '../../lib/memory/sweep-jobs.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNOWN_VARIABLES = Object.keys(environmentSchema.shape);

const attributeSchema = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const functionSchema = z.strictObject({
  handler: z.string(),
  role: z.string().optional(),
  timeout: z.number().optional(),
  package: z.strictObject({ patterns: z.array(z.string()) }),
  events: z.array(
    z.union([
      z.strictObject({ http: z.strictObject({ method: z.string(), path: z.string() }) }),
      z.strictObject({ schedule: z.string() }),
      z.strictObject({
        sqs: z.strictObject({
          arn: attributeSchema,
          batchSize: z.literal(1),
          maximumConcurrency: z.int().min(2).max(1_000),
          functionResponseType: z.literal('ReportBatchItemFailures'),
        }),
      }),
    ]),
  ),
});
const statementSchema = z.looseObject({ Action: z.union([z.string(), z.array(z.string())]) });
/** A filter by regular expression: between percent signs (CloudWatch Logs, filter pattern syntax). */
const filterSchema = z.looseObject({
  Properties: z.looseObject({
    FilterPattern: z
      .string()
      .regex(/^%.+%$/)
      .transform((pattern) => new RegExp(pattern.slice(1, -1))),
  }),
});
const roleSchema = z.looseObject({
  Properties: z.looseObject({
    Policies: z.tuple([
      z.looseObject({ PolicyDocument: z.looseObject({ Statement: z.array(statementSchema) }) }),
    ]),
  }),
});
/** Functions that a clock starts, with how often. */
const SCHEDULED: Readonly<Record<string, string>> = { purge: 'rate(1 hour)', sweep: 'rate(1 minute)' };
const JOBS = [...Object.keys(SCHEDULED), 'extract'];
const serverlessSchema = z.looseObject({
  provider: z.looseObject({
    runtime: z.literal('nodejs24.x'),
    architecture: z.literal('arm64'),
    timeout: z.number(),
    iam: z.strictObject({ role: attributeSchema }),
    environment: z.record(z.string(), z.union([z.string(), z.strictObject({ Ref: z.string() })])),
  }),
  functions: z.record(z.string(), functionSchema),
  resources: z.strictObject({
    Resources: z.looseObject({
      JobQueue: z.strictObject({
        Type: z.literal('AWS::SQS::Queue'),
        Properties: z.strictObject({
          VisibilityTimeout: z.int().max(43_200),
          RedrivePolicy: z.strictObject({ maxReceiveCount: z.int(), deadLetterTargetArn: attributeSchema }),
        }),
      }),
      JobDeadFilter: filterSchema,
      JobDeadInSweepFilter: filterSchema,
      FunctionRole: roleSchema,
      JobSenderRole: roleSchema,
      JobWorkerRole: roleSchema,
    }),
  }),
});
const serverless = serverlessSchema.parse(
  parse(readFileSync(`${ROOT}/serverless.yml`, 'utf8'), { merge: true }),
);
const RESOURCES = serverless.resources.Resources;

/** Function of each name in `infra/build`: folders and verbs as `LAMBDA_FUNCTIONS` names them. */
function builtName(handler: string): string | undefined {
  return /^dist\/lambda\/([\w-]+)\/index\.handler$/.exec(handler)?.[1];
}

/** Source of the module behind a function. */
function readEntry(handler: string): string {
  const entry = LAMBDA_FUNCTIONS.find(({ name }) => name === builtName(handler))?.entry;
  return entry === undefined ? '' : readFileSync(`${ROOT}/${entry}`, 'utf8');
}

function actionsOf(role: z.infer<typeof roleSchema>): readonly string[] {
  return role.Properties.Policies[0].PolicyDocument.Statement.flatMap(({ Action }) => Action);
}

describe('serverless.yml', () => {
  it('has one function for each operation, with its route, one for the service and one for MCP', () => {
    const routes = Object.entries(serverless.functions)
      .filter(([name]) => !['service', 'mcp', ...JOBS].includes(name))
      .map(([name, { events }]) => [name, events]);
    const expected = ALL_CONTRACTS.map(({ id, method, path }) => [
      id,
      [{ http: { method, path: `/v1${path}` } }],
    ]);
    expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(expected));
    const get = (path: string) => ({ http: { method: 'get', path } });
    expect(serverless.functions.service?.events).toEqual(
      ['/health/live', '/health/ready', '/openapi.json', '/docs'].map(get),
    );
    expect(serverless.functions.mcp?.events).toEqual([{ http: { method: 'post', path: '/mcp' } }]);
  });

  it('starts what a clock starts by a schedule', () => {
    for (const [name, schedule] of Object.entries(SCHEDULED)) {
      expect(serverless.functions[name]?.events).toEqual([{ schedule }]);
    }
  });

  it('gives a job its message for six times what it may take, and sets it aside after three', () => {
    const { extract } = serverless.functions;
    expect(extract?.events).toMatchObject([{ sqs: { arn: { 'Fn::GetAtt': ['JobQueue', 'Arn'] } } }]);
    const { VisibilityTimeout, RedrivePolicy } = RESOURCES.JobQueue.Properties;
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * (extract?.timeout ?? serverless.provider.timeout));
    expect(RedrivePolicy).toEqual({
      maxReceiveCount: 3,
      deadLetterTargetArn: { 'Fn::GetAtt': ['JobDeadLetterQueue', 'Arn'] },
    });
    expect(serverless.provider.environment.SQS_QUEUE_URL).toEqual({ Ref: 'JobQueue' });
  });

  it('lets exactly those functions send that wake jobs, and one receive', () => {
    const withRole = (role: string) =>
      Object.entries(serverless.functions)
        .filter(([, each]) => each.role === role)
        .map(([name]) => name);
    const senders = Object.entries(serverless.functions)
      .filter(([, { handler }]) => readEntry(handler).includes('createLambdaJobQueue'))
      .map(([name]) => name);
    expect([...withRole('JobSenderRole'), ...withRole('JobWorkerRole')].sort()).toEqual(senders.sort());
    expect(withRole('JobWorkerRole')).toEqual(['extract']);
    expect(serverless.provider.iam.role).toEqual({ 'Fn::GetAtt': ['FunctionRole', 'Arn'] });
    const log = ['logs:CreateLogStream', 'logs:PutLogEvents'];
    const send = [...log, 'sqs:SendMessage'];
    expect(actionsOf(RESOURCES.FunctionRole)).toEqual(log);
    expect(actionsOf(RESOURCES.JobSenderRole)).toEqual(send);
    expect(actionsOf(RESOURCES.JobWorkerRole)).toEqual([
      ...send,
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
    ]);
  });

  it('raises an alarm for messages set aside and for dead jobs', () => {
    const alarms = Object.entries(RESOURCES).filter(
      ([, resource]) => Reflect.get(Object(resource), 'Type') === 'AWS::CloudWatch::Alarm',
    );
    expect(alarms.map(([name]) => name)).toEqual(['JobDeadLetterAlarm', 'JobDeadAlarm']);
    for (const [, alarm] of alarms) {
      expect(alarm).toMatchObject({ Properties: { Threshold: 1, AlarmActions: [{ Ref: 'JobAlarmTopic' }] } });
    }
  });

  it('deploys exactly the functions that the build makes, each packaged alone', () => {
    const names = Object.values(serverless.functions).map(({ handler }) => builtName(handler));
    expect([...names].sort()).toEqual(LAMBDA_FUNCTIONS.map(({ name }) => name).sort());
    for (const {
      handler,
      package: { patterns },
    } of Object.values(serverless.functions)) {
      expect(patterns).toEqual([`dist/lambda/${builtName(handler)}/**`]);
    }
  });

  it('names functions after the module that holds the operation', () => {
    const wrong = Object.entries(serverless.functions).filter(([name, { handler }]) => {
      const main = `export const ${name}${JOBS.includes(name) ? 'Job' : 'Operation'}`;
      return !['service', 'mcp'].includes(name) && !readEntry(handler).includes(main);
    });
    expect(wrong).toEqual([]);
  });

  it('sets only variables that the configuration reads, and keeps every secret out of the file', () => {
    const { environment } = serverless.provider;
    expect(Object.keys(environment).filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
    const secrets = Object.entries(environment).filter(([name]) => /KEY|SECRET|PASSWORD|URL/.test(name));
    expect(secrets.length).toBeGreaterThan(3);
    const isReference = (value: unknown) =>
      typeof value !== 'string' || /^\$\{ssm:[\w/-]*(?:\$\{sls:stage\})?[\w/-]+\}$/.test(value);
    expect(secrets.filter(([, value]) => !isReference(value))).toEqual([]);
  });
});

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
