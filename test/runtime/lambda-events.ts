import type { HttpEvent } from '../../functions/runtime/lambda-event.ts';

/** A request as a client sends it; `target` is percent-encoded. */
export interface ClientRequest {
  readonly method: string;
  readonly target: string;
  /** Route of the gateway with `{name}` parameters: `/v1/threads/{threadId}`. */
  readonly route: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly base64?: boolean;
}

type Version1Event = Extract<HttpEvent, { resource: string }>;
type Version2Event = Extract<HttpEvent, { rawPath: string }>;

const IDENTITY = { sourceIp: '192.0.2.1', userAgent: 'test' };

function parts(request: ClientRequest) {
  const [path = '', query = ''] = request.target.split('?');
  const names = [...request.route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const pattern = new RegExp(`^${request.route.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
  const values = pattern.exec(path)?.slice(1) ?? [];
  const encoded = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  const headers = { host: 'api.example.com', ...request.headers };
  const text = request.body ?? null;
  const body = text !== null && request.base64 === true ? Buffer.from(text).toString('base64') : text;
  return { path, query, encoded, headers, body, isBase64Encoded: request.base64 === true };
}

function multiValue(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}

/** What a REST API of API Gateway delivers: the path as it was sent, the query decoded, every header as a list. */
export function restApiEvent(request: ClientRequest): Version1Event {
  const { path, query, encoded, headers, body, isBase64Encoded } = parts(request);
  const parameters = new URLSearchParams(query);
  const names = [...new Set(parameters.keys())];
  return {
    httpMethod: request.method,
    resource: request.route,
    path,
    pathParameters: encoded,
    headers,
    multiValueHeaders: multiValue(headers),
    queryStringParameters: Object.fromEntries(parameters),
    multiValueQueryStringParameters: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
    body,
    isBase64Encoded,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdef1234',
      authorizer: {},
      domainName: 'api.example.com',
      domainPrefix: 'api',
      extendedRequestId: 'r',
      httpMethod: request.method,
      identity: IDENTITY,
      path: `/prod${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'r',
      requestTime: '30/Nov/2026:00:00:00 +0000',
      requestTimeEpoch: 0,
      resourceId: 'abc',
      resourcePath: request.route,
      stage: 'prod',
    },
  };
}

function version2Event(
  request: ClientRequest,
  domainName: string,
  route: {
    readonly rawPath: string;
    readonly routeKey: string;
    readonly pathParameters?: Record<string, string>;
  },
): Version2Event {
  const { query, headers, body, isBase64Encoded } = parts(request);
  return {
    version: '2.0',
    ...route,
    rawQueryString: query,
    headers,
    body,
    isBase64Encoded,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdef1234',
      authentication: null,
      authorizer: {},
      domainName,
      domainPrefix: 'api',
      http: { method: request.method, path: route.rawPath, protocol: 'HTTP/1.1', ...IDENTITY },
      requestId: 'r',
      routeKey: route.routeKey,
      stage: '$default',
      time: '30/Nov/2026:00:00:00 +0000',
      timeEpoch: 0,
    },
  };
}

/** What a Function URL delivers: the path as it was sent. */
export function functionUrlEvent(request: ClientRequest): Version2Event {
  const { path } = parts(request);
  const domain = 'abcdef.lambda-url.eu-central-1.on.aws';
  return version2Event(request, domain, { rawPath: path, routeKey: '$default' });
}

/** What an HTTP API of API Gateway delivers: path and parameters decoded. */
export function httpApiEvent(request: ClientRequest): Version2Event {
  const { path, encoded } = parts(request);
  const decoded = Object.entries(encoded).map(([name, value]) => [name, decodeURIComponent(value)]);
  return version2Event(request, 'api.example.com', {
    rawPath: decodeURIComponent(path),
    routeKey: `${request.method} ${request.route}`,
    pathParameters: Object.fromEntries(decoded),
  });
}

/** What an HTTP API cannot deliver unchanged, so that the functions refuse it there. */
export const DECODED_AWAY = /[/?%#]/;

/** Every kind of event that the functions take. */
export const EVENT_KINDS = [
  ['REST API', restApiEvent],
  ['Function URL', functionUrlEvent],
  ['HTTP API', httpApiEvent],
] as const;
