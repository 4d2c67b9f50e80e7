import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { OracleEngine } from '../engine/oracle-engine.ts';
import { OrdsAuthentication, type OrdsClient } from './authentication.ts';
import { ConnectionCutError } from './connection-cut-error.ts';
import { parseExactly } from './exact-json.ts';
import { OrdsHttpError } from './ords-http-error.ts';
import { type OrdsRequest, ordsRequest } from './ords-request.ts';
import { answerStatement } from './statement-response.ts';

export interface OrdsAppOptions {
  readonly engine: OracleEngine;
  /** Alias in the URL: `/ords/{schema}/_/sql`. */
  readonly schema: string;
  readonly username: string;
  readonly password: string;
  readonly clients?: readonly OrdsClient[] | undefined;
  /** Life of a bearer token. Default 3,600. */
  readonly tokenSeconds?: number | undefined;
  /** Milliseconds since the epoch, for token expiry. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Runs before everything else; tests inject HTTP faults here. */
  readonly middleware?: MiddlewareHandler | undefined;
}

/**
 * ORDS REST-Enabled SQL over an engine: `POST /ords/{schema}/_/sql` and the OAuth token endpoint (ORDS Developer's
 * Guide). Errors of statements are inside `items`; other failures have a status and ORDS's error body.
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
  app.post(`${base}/_/sql`, authentication.required, async (context) =>
    context.json(await answerStatement(options.engine, await readRequest(context))),
  );
  app.all(`${base}/_/sql`, () => {
    throw new OrdsHttpError(405, 'REST-Enabled SQL accepts POST only');
  });
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

async function readRequest(context: Context): Promise<OrdsRequest> {
  const mediaType = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const text = await context.req.text();
  if (mediaType === 'application/sql') {
    return parseRequest({ statementText: text });
  }
  if (mediaType !== 'application/json') {
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
