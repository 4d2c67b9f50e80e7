import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

const SECRET_KEY = 'of-the-test';
const PAGE = 2;
const authorizationSchema = z
  .string()
  .regex(/^AWS4-HMAC-SHA256 Credential=[^,]+, SignedHeaders=[^,]+, Signature=[0-9a-f]{64}$/);

/** What Systems Manager and Secrets Manager answer, for whoever signs with the right key. */
export interface AwsConfigurationServer {
  /** What AWS Lambda gives a function that has a role. */
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** Answers the next requests so, whatever they ask. */
  failNext(...statuses: readonly number[]): void;
  close(): Promise<void>;
}

/** Serves parameters, in pages of two, by their names, and secrets by theirs. */
export async function startAwsConfigurationServer(
  parameters: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): Promise<AwsConfigurationServer> {
  const requests: Record<string, unknown>[] = [];
  let failures: readonly number[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [failure, ...others] = failures;
    failures = others;
    const status = failure ?? (isSigned(request, body) ? 200 : 403);
    if (status !== 200) {
      response.writeHead(status).end('{}');
      return;
    }
    const action = String(request.headers['x-amz-target']);
    const given = z.looseObject({}).parse(JSON.parse(body));
    requests.push({ action, ...given });
    response.end(JSON.stringify(answer(action, given, parameters, secrets)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    variables: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/`,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_SESSION_TOKEN: 'session',
    },
    requests,
    failNext: (...statuses) => {
      failures = statuses;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(
  action: string,
  given: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): unknown {
  if (action === 'secretsmanager.GetSecretValue') return { SecretString: secrets[String(given.SecretId)] };
  if (action !== 'AmazonSSM.GetParametersByPath' || given.WithDecryption !== true) return {};
  const parent = (name: string) => name.slice(0, name.lastIndexOf('/'));
  const found = Object.entries(parameters).filter(([name]) => parent(name) === given.Path);
  const start = Number(given.NextToken ?? 0);
  return {
    Parameters: found.slice(start, start + PAGE).map(([Name, Value]) => ({ Name, Value })),
    ...(start + PAGE < found.length ? { NextToken: String(start + PAGE) } : {}),
  };
}

/** Signature Version 4, from its description (IAM User Guide, Create a signed AWS API request). */
function isSigned({ headers, method, url }: IncomingMessage, body: string): boolean {
  const authorization = authorizationSchema.parse(headers.authorization);
  const [, credential = '', signed = '', signature] =
    /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(authorization) ?? [];
  const [, day = '', region = '', service = '', end = ''] = credential.split('/');
  const names = signed.split(';');
  if (!['host', 'x-amz-security-token', 'x-amz-target'].every((name) => names.includes(name))) return false;
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = [method, url, '', lines, signed, sha256(body)].join('\n');
  const scope = [day, region, service, end].join('/');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, service, end].reduce<string | Buffer>(
    (parent, part) => createHmac('sha256', parent).update(part).digest(),
    `AWS4${SECRET_KEY}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
