import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import type { Bundle } from './bundle.ts';
import { LAMBDA_FUNCTIONS } from './lambda-functions.ts';

/** A function as `serverless.yml` states one. */
export interface ServerlessFunction {
  readonly handler: string;
  /** Role of its own; absent: that of functions that touch no queue. */
  readonly role?: string;
  readonly memorySize: number;
  readonly reservedConcurrency: string;
  readonly package: { readonly patterns: readonly string[] };
  readonly events: readonly HttpRoute[];
}

interface Route {
  readonly method: string;
  readonly path: string;
}
type HttpRoute = { readonly http: Route } | { readonly httpApi: Route };

type Functions = Readonly<Record<string, ServerlessFunction>>;

/** Functions of each choice of `--param="functions=…"`. */
export interface ServerlessFunctions {
  /** One for each operation, one for MCP and one for health and description, behind a REST API. */
  readonly operations: Functions;
  /** One for all of it, behind a REST API. */
  readonly api: Functions;
  /** The same behind an HTTP API, which delivers paths decoded. */
  readonly 'http-api': Functions;
}

const SERVICE_ROUTES: readonly Route[] = ['/health/live', '/health/ready', '/openapi.json', '/docs'].map(
  (path) => ({ method: 'get', path }),
);
const OTHER_ROUTES: Readonly<Record<string, readonly Route[]>> = {
  service: SERVICE_ROUTES,
  mcp: [{ method: 'post', path: '/mcp' }],
};

/** What `serverless.yml` deploys of what was built: which functions there are, with their routes, roles and memory. */
export function serverlessFunctions(bundles: readonly Bundle[]): ServerlessFunctions {
  const routes = routesById();
  const operations = Object.fromEntries(
    [...routes].map(([id, own]) => [id, describe(id, own.map(restRoute), bundles)]),
  );
  const all = [...routes.values()].flat();
  return {
    operations,
    api: { api: describe('api', [restRoute({ method: 'any', path: '/{proxy+}' })], bundles) },
    'http-api': { api: describe('api', all.map(httpApiRoute), bundles) },
  };
}

/** Writes `functions.json` beside the built functions, where `serverless.yml` reads it. */
export function writeServerlessFunctions(directory: string, bundles: readonly Bundle[]): Promise<void> {
  return writeFile(join(directory, 'functions.json'), JSON.stringify(serverlessFunctions(bundles), null, 2));
}

function routesById(): ReadonlyMap<string, readonly Route[]> {
  const ofOperations = ALL_CONTRACTS.map(
    ({ id, method, path }) => [id, [{ method, path: `/v1${path}` }]] as const,
  );
  return new Map<string, readonly Route[]>([...ofOperations, ...Object.entries(OTHER_ROUTES)]);
}

function restRoute(http: Route): HttpRoute {
  return { http };
}

function httpApiRoute(httpApi: Route): HttpRoute {
  return { httpApi };
}

function describe(id: string, events: readonly HttpRoute[], bundles: readonly Bundle[]): ServerlessFunction {
  const name = LAMBDA_FUNCTIONS.find((lambda) => lambda.id === id)?.name;
  const modules = bundles.find((bundle) => bundle.name === name)?.modules;
  if (name === undefined || modules === undefined) throw new Error(`${id} was not built`);
  const includes = (part: string): boolean => modules.some((path) => path.includes(part));
  return {
    handler: `dist/lambda/${name}/index.handler`,
    ...(includes('lib/memory/wake-up.ts') ? { role: 'JobSenderRole' } : {}),
    // Counting tokens is computing, and processor time comes with memory.
    memorySize: includes('o200k_base.json') ? 1_024 : 512,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of serverless.yml
    reservedConcurrency: '${param:concurrency, null}',
    package: { patterns: [`dist/lambda/${name}/**`] },
    events,
  };
}
