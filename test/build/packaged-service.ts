import { execFile } from 'node:child_process';
import { cp, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type Bundle, buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { writeServerlessFunctions } from '../../infra/build/serverless-functions.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OSLS = join(dirname(createRequire(import.meta.url).resolve('osls/package.json')), 'bin/serverless.js');

const resourceSchema = z.looseObject({ Type: z.string(), Properties: z.looseObject({}).default({}) });
const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

export type Resource = z.infer<typeof resourceSchema>;

/** What `npx osls package` makes. */
export interface PackagedService {
  /** Resources of the CloudFormation template, by their logical ids. */
  readonly resources: Readonly<Record<string, Resource>>;
  /** Archives by the name of their function, in bytes. */
  readonly archives: ReadonlyMap<string, Buffer>;
}

/** Puts what a deployment reads into an empty folder: the built functions, `serverless.yml` and what it names. */
export async function prepareService(directory: string): Promise<readonly Bundle[]> {
  const bundles = await buildLambdaFunctions(join(directory, 'dist/lambda'));
  await writeServerlessFunctions(join(directory, 'dist/lambda'), bundles);
  for (const file of ['serverless.yml', 'package.json', 'infra/aws/stage-options.js']) {
    await cp(join(ROOT, file), join(directory, file));
  }
  return bundles;
}

/** Packages it with some parameters, without an account: no variable names one. */
export async function packageService(
  directory: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<PackagedService> {
  const output = `packaged-${Object.values(parameters).join('-')}`;
  const given = Object.entries(parameters).map(([name, value]) => `--param=${name}=${value}`);
  await promisify(execFile)(process.execPath, [OSLS, 'package', '--package', output, ...given], {
    cwd: directory,
    env: { HOME: directory, PATH: process.env.PATH, SLS_NOTIFICATIONS_MODE: 'off' },
  });
  return read(join(directory, output));
}

async function read(folder: string): Promise<PackagedService> {
  const template = await readFile(join(folder, 'cloudformation-template-update-stack.json'), 'utf8');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.zip'));
  const archives = names.map(
    async (name) => [name.replace(/\.zip$/, ''), await readFile(join(folder, name))] as const,
  );
  return {
    resources: templateSchema.parse(JSON.parse(template)).Resources,
    archives: new Map(await Promise.all(archives)),
  };
}

/** The resources of a type, by their logical ids. */
export function resourcesOf(
  { resources }: PackagedService,
  type: string,
): ReadonlyMap<string, Resource['Properties']> {
  const found = Object.entries(resources).filter(([, resource]) => resource.Type === type);
  return new Map(found.map(([id, { Properties }]) => [id, Properties]));
}

const restResourceSchema = z.looseObject({
  PathPart: z.string(),
  ParentId: z.union([z.strictObject({ Ref: z.string() }), z.looseObject({ 'Fn::GetAtt': z.unknown() })]),
});
const methodSchema = z.looseObject({
  HttpMethod: z.string(),
  ResourceId: z.strictObject({ Ref: z.string() }),
  Integration: z.looseObject({ Type: z.literal('AWS_PROXY'), Uri: z.unknown() }),
});
const routeSchema = z.looseObject({ RouteKey: z.string(), Target: z.unknown() });

/** `POST /v1/threads` of a REST API, to the logical id of the function behind it. */
export function restRoutes(service: PackagedService): Readonly<Record<string, string>> {
  const methods = [...resourcesOf(service, 'AWS::ApiGateway::Method').values()].map((each) =>
    methodSchema.parse(each),
  );
  return Object.fromEntries(
    methods.map(({ HttpMethod, ResourceId, Integration }) => [
      `${HttpMethod} ${pathOf(service, ResourceId.Ref)}`,
      functionOf(Integration.Uri),
    ]),
  );
}

function pathOf(service: PackagedService, id: string): string {
  const { PathPart, ParentId } = restResourceSchema.parse(service.resources[id]?.Properties);
  return `${'Ref' in ParentId && typeof ParentId.Ref === 'string' ? pathOf(service, ParentId.Ref) : ''}/${PathPart}`;
}

/** The same of an HTTP API. */
export function httpRoutes(service: PackagedService): Readonly<Record<string, string>> {
  const routes = [...resourcesOf(service, 'AWS::ApiGatewayV2::Route').values()].map((each) =>
    routeSchema.parse(each),
  );
  return Object.fromEntries(
    routes.map(({ RouteKey, Target }) => {
      const integration = /"Ref":"(\w+)"/.exec(JSON.stringify(Target))?.[1] ?? '';
      return [RouteKey, functionOf(service.resources[integration]?.Properties.IntegrationUri)];
    }),
  );
}

function functionOf(uri: unknown): string {
  return /"Fn::GetAtt":\["(\w+)LambdaFunction","Arn"\]/.exec(JSON.stringify(uri))?.[1] ?? '';
}
