import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { environmentSchema } from '../../functions/runtime/environment-schema.ts';
import { LAMBDA_FUNCTIONS } from '../../infra/build/lambda-functions.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KNOWN_VARIABLES = Object.keys(environmentSchema.shape);

const functionSchema = z.strictObject({
  handler: z.string(),
  timeout: z.number().optional(),
  package: z.strictObject({ patterns: z.array(z.string()) }),
  events: z.array(
    z.union([
      z.strictObject({ http: z.strictObject({ method: z.string(), path: z.string() }) }),
      z.strictObject({ schedule: z.string() }),
    ]),
  ),
});
/** Functions that a clock starts, with how often. */
const JOBS: Readonly<Record<string, string>> = { purge: 'rate(1 hour)' };
const serverlessSchema = z.looseObject({
  provider: z.looseObject({
    runtime: z.literal('nodejs24.x'),
    architecture: z.literal('arm64'),
    timeout: z.number(),
    environment: z.record(z.string(), z.string()),
  }),
  functions: z.record(z.string(), functionSchema),
});
const serverless = serverlessSchema.parse(parse(readFileSync(`${ROOT}/serverless.yml`, 'utf8')));

/** Function of each name in `infra/build`: folders and verbs as `LAMBDA_FUNCTIONS` names them. */
function builtName(handler: string): string | undefined {
  return /^dist\/lambda\/([\w-]+)\/index\.handler$/.exec(handler)?.[1];
}

describe('serverless.yml', () => {
  it('has one function for each operation, with its route, and one for the service', () => {
    const routes = Object.entries(serverless.functions)
      .filter(([name]) => name !== 'service' && !Object.hasOwn(JOBS, name))
      .map(([name, { events }]) => [name, events]);
    const expected = ALL_CONTRACTS.map(({ id, method, path }) => [
      id,
      [{ http: { method, path: `/v1${path}` } }],
    ]);
    expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(expected));
    const get = (path: string) => ({ http: { method: 'get', path } });
    expect(serverless.functions.service?.events).toEqual(
      ['/health/live', '/health/ready', '/openapi.json'].map(get),
    );
  });

  it('starts each job by a schedule, and Workers by a cron trigger', () => {
    for (const [name, schedule] of Object.entries(JOBS)) {
      expect(serverless.functions[name]?.events).toEqual([{ schedule }]);
    }
    const wrangler = readFileSync(`${ROOT}/wrangler.toml`, 'utf8');
    expect(wrangler).toMatch(/^\[triggers\]\ncrons = \["17 \* \* \* \*"\]$/m);
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
      const entry = LAMBDA_FUNCTIONS.find((lambda) => lambda.name === builtName(handler))?.entry ?? '';
      if (!existsSync(`${ROOT}/${entry}`)) return true;
      return (
        name !== 'service' &&
        !readFileSync(`${ROOT}/${entry}`, 'utf8').includes(
          `export const ${name}${Object.hasOwn(JOBS, name) ? 'Job' : 'Operation'}`,
        )
      );
    });
    expect(wrong).toEqual([]);
  });

  it('sets only variables that the configuration reads, and keeps every secret out of the file', () => {
    const { environment } = serverless.provider;
    expect(Object.keys(environment).filter((name) => !KNOWN_VARIABLES.includes(name))).toEqual([]);
    const secrets = Object.entries(environment).filter(([name]) => /KEY|SECRET|PASSWORD|URL/.test(name));
    expect(secrets.length).toBeGreaterThan(3);
    expect(
      secrets.filter(([, value]) => !/^\$\{ssm:[\w/-]*(?:\$\{sls:stage\})?[\w/-]+\}$/.test(value)),
    ).toEqual([]);
  });
});
