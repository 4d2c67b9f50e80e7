import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { MODULE_PATH } from '../../../../lib/sql/ords/module-wire.ts';
import type { OracleEngine } from '../engine/oracle-engine.ts';
import { OrdsAuthentication, type OrdsClient } from './authentication.ts';
import { answerCall } from './call-response.ts';
import { ConnectionCutError } from './connection-cut-error.ts';
import { parseExactly } from './exact-json.ts';
import type { InstalledStatements } from './installed-statements.ts';
import { OrdsHttpError } from './ords-http-error.ts';
import { type OrdsRequest, ordsRequest } from './ords-request.ts';
import { answerStatement } from './statement-response.ts';

export interface OrdsAppOptions {
  readonly engine: OracleEngine;
  /** Alias in the URL: `/ords/{schema}/_/sql`. */
  readonly schema: string;
  readonly username: string;
  readonly password: string;
  /** What the module runs. */
  readonly statements: InstalledStatements;
  readonly clients?: readonly OrdsClient[] | undefined;
  /** Life of a bearer token. Default 3,600. */
  readonly tokenSeconds?: number | undefined;
  /** Milliseconds since the epoch, for token expiry. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Runs before everything else; tests inject HTTP faults here. */
  readonly middleware?: MiddlewareHandler | undefined;
}

/**
 * ORDS over an engine: REST-Enabled SQL (`POST /ords/{schema}/_/sql`), the module of installed statements, and the OAuth
 * token endpoint (ORDS Developer's Guide). Errors of statements are inside `items`; other failures have a status and ORDS's error body.
 */
export function createOrdsApp(options: OrdsAppOptions): Hono {
  const authentication = new OrdsAuthentication({
    username: options.username,
    password: options.password,
    clients: options.clients ?? [],
    tokenSeconds: options.tokenSeconds ?? 3600,
    now: options.now ?? Date.now,
  });
  const app = new Hono();
  if (options.middleware !== undefined) {
    app.use(options.middleware);
  }
  const base = `/ords/${options.schema}`;
  app.post(`${base}/oauth/token`, async (context) => {
    const form = new URLSearchParams(await context.req.text());
    return context.json(
      authentication.issueToken(context.req.header('authorization'), form.get('grant_type')),
    );
  });
  app.post(`${base}/_/sql`, authentication.requires('SQL Developer'), async (context) =>
    context.json(await answerStatement(options.engine, await readRequest(context))),
  );
  app.all(`${base}/_/sql`, () => {
    throw new OrdsHttpError(405, 'REST-Enabled SQL accepts POST only');
  });
  mountModule(app, `${base}/${MODULE_PATH}`, authentication, options);
  app.notFound((context) =>
    answerError(context, new OrdsHttpError(404, 'The request could not be mapped to any database')),
  );
  app.onError((error, context) => {
    if (error instanceof ConnectionCutError) {
      throw error;
    }
    return answerError(
      context,
      error instanceof OrdsHttpError ? error : new OrdsHttpError(500, error.message),
    );
  });
  return app;
}

/** The module that `infra/ords` sets up on Oracle. */
function mountModule(
  app: Hono,
  base: string,
  authentication: OrdsAuthentication,
  { engine, statements }: OrdsAppOptions,
): void {
  app.post(`${base}/call/:name/:hash`, authentication.requires('agent-memory.caller'), async (context) => {
    if (mediaType(context) !== 'application/json') {
      throw new OrdsHttpError(415, 'the content type is application/json');
    }
    const target = { name: context.req.param('name'), hash: context.req.param('hash') };
    const { status, body } = await answerCall(engine, statements, target, await context.req.text());
    return context.json(body, status);
  });
  app.all(`${base}/call/:name/:hash`, () => {
    throw new OrdsHttpError(405, 'the module accepts POST only');
  });
}

function mediaType(context: Context): string | undefined {
  return context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
}

async function readRequest(context: Context): Promise<OrdsRequest> {
  const type = mediaType(context);
  const text = await context.req.text();
  if (type === 'application/sql') {
    return parseRequest({ statementText: text });
  }
  if (type !== 'application/json') {
    throw new OrdsHttpError(415, 'the content type is application/json or application/sql');
  }
  let body: unknown;
  try {
    body = parseExactly(text);
  } catch {
    throw new OrdsHttpError(400, 'the body is not JSON');
  }
  return parseRequest(body);
}

function parseRequest(body: unknown): OrdsRequest {
  const parsed = ordsRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OrdsHttpError(400, `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'not valid'}`);
  }
  return parsed.data;
}

function answerError(context: Context, error: OrdsHttpError): Response {
  const headers: Record<string, string> = {};
  if (error.status === 401) {
    headers['www-authenticate'] = 'Basic realm="Oracle REST Data Services"';
  }
  if (error.status === 405) {
    headers.allow = 'POST';
  }
  return context.json(error.toBody(), error.status, headers);
}
