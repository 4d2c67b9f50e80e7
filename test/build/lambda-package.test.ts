import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Bundle } from '../../infra/build/bundle.ts';
import { LAMBDA_FUNCTIONS } from '../../infra/build/lambda-functions.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import {
  httpRoutes,
  type PackagedService,
  packageService,
  prepareService,
  resourcesOf,
  restRoutes,
} from './packaged-service.ts';

const PACKAGING_MILLISECONDS = 180_000;
const LARGEST_ARCHIVE = 700_000;
const LARGEST_ARCHIVE_WITH_TOKENIZER = 2_200_000;
const MOST_RESOURCES = 450;
const JOBS = ['extract', 'purge', 'schema', 'sweep'];
const SERVICE_ROUTES = ['GET /health/live', 'GET /health/ready', 'GET /openapi.json', 'GET /docs'];

const functionSchema = z.looseObject({
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Architectures: z.tuple([z.literal('arm64')]),
  MemorySize: z.int(),
  Timeout: z.int(),
  ReservedConcurrentExecutions: z.int().optional(),
  Role: z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.unknown()) }),
  VpcConfig: z.unknown().optional(),
});
const roleSchema = z.looseObject({
  ManagedPolicyArns: z.array(z.unknown()),
  Policies: z.tuple([
    z.looseObject({
      PolicyDocument: z.looseObject({
        Statement: z.array(
          z.looseObject({ Action: z.union([z.string(), z.array(z.string())]), Resource: z.unknown() }),
        ),
      }),
    }),
  ]),
});

let directory = '';
let bundles: readonly Bundle[] = [];
let operations: PackagedService;
let api: PackagedService;
let httpApi: PackagedService;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'package-'));
  bundles = await prepareService(directory);
  operations = await packageService(directory);
  api = await packageService(directory, { functions: 'api' });
  httpApi = await packageService(directory, {
    functions: 'http-api',
    transport: 'thin',
    concurrency: '20',
    extractionConcurrency: '4',
    subnets: 'subnet-1,subnet-2',
    securityGroups: 'sg-1',
    requestsPerSecond: '7',
    requestsAtOnce: '9',
  });
}, PACKAGING_MILLISECONDS);
afterAll(() => rm(directory, { recursive: true, force: true }));

type LambdaProperties = z.infer<typeof functionSchema>;

function functionsOf(service: PackagedService): ReadonlyMap<string, LambdaProperties> {
  const found = [...resourcesOf(service, 'AWS::Lambda::Function')];
  return new Map(
    found.map(([id, properties]) => {
      const name = id.replace(/LambdaFunction$/, '');
      return [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, functionSchema.parse(properties)];
    }),
  );
}

function modulesOf(id: string): readonly string[] {
  const name = LAMBDA_FUNCTIONS.find((lambda) => lambda.id === id)?.name;
  return bundles.find((bundle) => bundle.name === name)?.modules ?? [];
}

function statementsOf(service: PackagedService, role: string) {
  const { Policies } = roleSchema.parse(service.resources[role]?.Properties);
  return Policies[0].PolicyDocument.Statement;
}

function actionsOf(service: PackagedService, role: string): readonly string[] {
  return statementsOf(service, role).flatMap(({ Action }) => Action);
}

describe('one function for each operation', () => {
  it('has every operation behind its route, and nothing else but the service and MCP', () => {
    const capital = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    const expected = ALL_CONTRACTS.map(({ id, method, path }) => [
      `${method.toUpperCase()} /v1${path}`,
      capital(id),
    ]);
    expect(restRoutes(operations)).toEqual({
      ...Object.fromEntries(expected),
      ...Object.fromEntries(SERVICE_ROUTES.map((route) => [route, 'Service'])),
      'POST /mcp': 'Mcp',
    });
  });

  it('runs what the build made for it', () => {
    const wrong = [...functionsOf(operations)].filter(([id, { Handler }]) => {
      const lambda = LAMBDA_FUNCTIONS.find((each) => each.id === id);
      return Handler !== `dist/lambda/${lambda?.name}/index.handler`;
    });
    expect(wrong).toEqual([]);
    expect([...functionsOf(operations).keys(), 'api'].sort()).toEqual(
      LAMBDA_FUNCTIONS.map(({ id }) => id).sort(),
    );
  });

  it('gives more memory to what counts tokens, and no place of their own to executions', () => {
    for (const [id, { MemorySize, ReservedConcurrentExecutions }] of functionsOf(operations)) {
      const countsTokens = modulesOf(id).some((path) => path.endsWith('o200k_base.json'));
      expect([id, MemorySize]).toEqual([id, countsTokens ? 1_024 : 512]);
      expect(ReservedConcurrentExecutions).toBeUndefined();
    }
  });

  it('puts into each archive the files of one function, within the bound of its size', () => {
    for (const [id, archive] of operations.archives) {
      const name = LAMBDA_FUNCTIONS.find((lambda) => lambda.id === id)?.name ?? '';
      const folders = [...archive.toString('latin1').matchAll(/dist\/lambda\/([\w-]+)\//g)].map(
        ([, folder]) => folder,
      );
      expect([...new Set(folders)]).toEqual([name]);
    }
    expect(tooLarge(operations)).toEqual([]);
    expect(operations.archives.size).toBe(functionsOf(operations).size);
  });
});

function tooLarge({ archives }: PackagedService): readonly (readonly [string, number])[] {
  return [...archives]
    .map(([id, { byteLength }]) => [id, byteLength] as const)
    .filter(([id, bytes]) => {
      const countsTokens = modulesOf(id).some((path) => path.endsWith('o200k_base.json'));
      return bytes > (countsTokens ? LARGEST_ARCHIVE_WITH_TOKENIZER : LARGEST_ARCHIVE);
    });
}

describe('one function for all operations', () => {
  it('has every path of the REST API, and the jobs as before', () => {
    expect(restRoutes(api)).toEqual({ 'ANY /{proxy+}': 'Api' });
    expect([...functionsOf(api).keys()].sort()).toEqual(['api', ...JOBS]);
    expect(functionsOf(api).get('api')?.Role).toEqual({ 'Fn::GetAtt': ['JobSenderRole', 'Arn'] });
    expect(tooLarge(api)).toEqual([]);
  });

  it('has, behind an HTTP API, each route by name, from which ids are read', () => {
    expect(httpRoutes(httpApi)).toEqual(
      Object.fromEntries(Object.keys(restRoutes(operations)).map((route) => [route, 'Api'])),
    );
    expect([...functionsOf(httpApi).keys()].sort()).toEqual(['api', ...JOBS]);
  });

  it('has as many executions, in a network of its own, as its parameters say', () => {
    const found = functionsOf(httpApi);
    expect(found.get('api')?.ReservedConcurrentExecutions).toBe(20);
    for (const { VpcConfig, Environment } of found.values()) {
      expect(VpcConfig).toEqual({ SecurityGroupIds: ['sg-1'], SubnetIds: ['subnet-1', 'subnet-2'] });
      expect(Environment.Variables.ORACLE_TRANSPORT).toBe('thin');
    }
    for (const [, role] of resourcesOf(httpApi, 'AWS::IAM::Role')) {
      const { ManagedPolicyArns } = roleSchema.parse(role);
      expect(JSON.stringify(ManagedPolicyArns)).toContain('AWSLambdaVPCAccessExecutionRole');
    }
  });

  it('refuses half of a network', async () => {
    const half = packageService(directory, { functions: 'api', subnets: 'subnet-1' });
    await expect(half).rejects.toMatchObject({
      stdout: expect.stringContaining('give the parameters subnets and securityGroups, or neither'),
    });
  });
});

describe.each([
  ['operations', () => operations],
  ['api', () => api],
  ['http-api', () => httpApi],
] as const)('the stack with functions=%s', (functions, open) => {
  it('stays below the limit of CloudFormation', () => {
    expect(Object.keys(open().resources).length).toBeLessThan(MOST_RESOURCES);
  });

  it('runs each queue message by itself, and lets one that failed come again', () => {
    const mappings = [...resourcesOf(open(), 'AWS::Lambda::EventSourceMapping').values()];
    expect(mappings).toMatchObject([
      {
        BatchSize: 1,
        MaximumBatchingWindowInSeconds: 0,
        EventSourceArn: { 'Fn::GetAtt': ['JobQueue', 'Arn'] },
        FunctionName: { 'Fn::GetAtt': ['ExtractLambdaFunction', 'Arn'] },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: functions === 'http-api' ? 4 : 10 },
      },
    ]);
  });

  it('gives a job its message for six times what it may take, and sets it aside after three', () => {
    const { resources } = open();
    const timeout = functionsOf(open()).get('extract')?.Timeout ?? Number.NaN;
    expect(resources.JobQueue?.Properties).toEqual({
      SqsManagedSseEnabled: true,
      VisibilityTimeout: 6 * timeout,
      RedrivePolicy: {
        maxReceiveCount: 3,
        deadLetterTargetArn: { 'Fn::GetAtt': ['JobDeadLetterQueue', 'Arn'] },
      },
    });
  });

  it('starts the sweep every minute and the purge every hour', () => {
    const rules = [...resourcesOf(open(), 'AWS::Events::Rule').values()].map((rule) =>
      JSON.stringify([rule.ScheduleExpression, rule.Targets]),
    );
    expect(rules.sort()).toEqual([
      expect.stringMatching(/^\["rate\(1 hour\)".*PurgeLambdaFunction/),
      expect.stringMatching(/^\["rate\(1 minute\)".*SweepLambdaFunction/),
    ]);
  });

  it('lets exactly those functions send that wake jobs, and one receive', () => {
    const withRole = (role: string) =>
      [...functionsOf(open())].filter(([, { Role }]) => Role['Fn::GetAtt'][0] === role).map(([id]) => id);
    const senders = [...functionsOf(open()).keys()].filter((id) =>
      modulesOf(id).includes('lib/memory/wake-up.ts'),
    );
    expect([...withRole('JobSenderRole'), ...withRole('JobWorkerRole')].sort()).toEqual(senders.sort());
    expect(withRole('JobWorkerRole')).toEqual(['extract']);
    expect(withRole('SchemaRole')).toEqual(['schema']);
  });

  it('allows what each role needs and no more', () => {
    const read = [
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'ssm:GetParametersByPath',
      'secretsmanager:GetSecretValue',
    ];
    const send = [...read, 'sqs:SendMessage'];
    expect(actionsOf(open(), 'FunctionRole')).toEqual(read);
    expect(actionsOf(open(), 'JobSenderRole')).toEqual(send);
    expect(actionsOf(open(), 'JobWorkerRole')).toEqual([
      ...send,
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
    ]);
    expect(actionsOf(open(), 'SchemaRole')).toEqual(read);
    const roles = [...resourcesOf(open(), 'AWS::IAM::Role').keys()];
    const named = roles.map((role) => [role, JSON.stringify(statementsOf(open(), role))] as const);
    expect(
      named.filter(([, text]) =>
        /"Resource":"\*"|"Action":"\*"|:\*"[,\]]/.test(text.replaceAll(/log-group:[^"]*/g, '')),
      ),
    ).toEqual([]);
    const readers = named.filter(([, text]) => text.includes('parameter/agent-memory/prod/schema'));
    expect(readers.map(([role]) => role)).toEqual(['SchemaRole']);
    expect(named.find(([role]) => role === 'SchemaRole')?.[1]).not.toContain('/service');
  });

  it('raises an alarm for waiting messages, messages set aside and dead jobs', () => {
    const alarms = [...resourcesOf(open(), 'AWS::CloudWatch::Alarm')];
    expect(alarms.map(([id, { MetricName, Threshold }]) => [id, MetricName, Threshold])).toEqual([
      ['JobQueueAgeAlarm', 'ApproximateAgeOfOldestMessage', 1_800],
      ['JobDeadLetterAlarm', 'ApproximateNumberOfMessagesVisible', 1],
      ['JobDeadAlarm', 'DeadJobs', 1],
    ]);
    for (const [, alarm] of alarms) expect(alarm.AlarmActions).toEqual([{ Ref: 'JobAlarmTopic' }]);
    const filters = [...resourcesOf(open(), 'AWS::Logs::MetricFilter').values()];
    expect(filters.map(({ LogGroupName }) => LogGroupName)).toEqual([
      { Ref: 'ExtractLogGroup' },
      { Ref: 'SweepLogGroup' },
    ]);
  });

  it('holds back what is too much for it', () => {
    const limits =
      functions === 'http-api'
        ? [...resourcesOf(open(), 'AWS::ApiGatewayV2::Stage').values()].map(
            (each) => each.DefaultRouteSettings,
          )
        : [...resourcesOf(open(), 'AWS::ApiGateway::Deployment').values()].map(
            (each) => each.StageDescription,
          );
    const [rate, burst] = functions === 'http-api' ? [7, 9] : [100, 200];
    expect(limits).toEqual([{ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }]);
  });

  it('has no secret in the environment of a function, but where it finds them', () => {
    for (const [id, { Environment }] of functionsOf(open())) {
      expect(Environment.Variables).toEqual({
        SSM_PARAMETER_PATH: `/agent-memory/prod/${id === 'schema' ? 'schema' : 'service'}`,
        SECRETS_VERSION: '1',
        ORACLE_TRANSPORT: functions === 'http-api' ? 'thin' : 'ords',
        JOB_QUEUE: 'sqs',
        SQS_QUEUE_URL: { Ref: 'JobQueue' },
      });
    }
  });
});
