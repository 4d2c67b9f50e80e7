import type { LambdaEvent } from 'hono/aws-lambda';
import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';

/** Events of API Gateway (REST and HTTP APIs) and of Function URLs. Those of REST APIs have no version. */
export type HttpEvent = Exclude<LambdaEvent, GatewayEvent> | RestEvent;

type GatewayEvent = Extract<LambdaEvent, { resource: string }>;
type RestEvent = Omit<GatewayEvent, 'version'> & { readonly version?: string };

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;

/**
 * An event with its path as the client sent it, percent-encoded once, which is what the app routes on. REST APIs and
 * Function URLs deliver the path so; HTTP APIs deliver it decoded, so it is built again from the route and its
 * parameters.
 */
export function correctEvent(event: HttpEvent): LambdaEvent {
  return withoutUnusableBody('rawPath' in event ? correctVersion2(event) : correctVersion1(event));
}

/** @throws AgentMemoryError `invalid_request` for a path with `.` or `..`, which a URL would make another path */
export function refuseDotSegments(event: LambdaEvent): void {
  const path = 'rawPath' in event ? event.rawPath : event.path;
  if (DOT_SEGMENT.test(path)) throw invalidRequest('path', 'must not have "." or ".." segments');
}

/**
 * HTTP APIs deliver paths decoded and route on them: an id with `/` reaches another route or none, and one with `?`, `%`
 * or `#` cannot be told from one that was decoded twice. Such ids need a REST API or a Function URL.
 *
 * @throws AgentMemoryError `invalid_request` naming the parameter, or `path` where the route names none
 */
export function refuseDecodedPath(event: HttpEvent): void {
  const parameters = decodedParameters(event);
  for (const [name, value = ''] of Object.entries(parameters)) {
    if (/[/?%#]/.test(value)) {
      throw invalidRequest(
        name,
        'must not have /, ?, % or # behind an HTTP API: use a REST API or a Function URL',
      );
    }
  }
}

/** What an HTTP API has decoded; nothing of events that carry the path as it was sent. */
function decodedParameters(event: HttpEvent): Readonly<Record<string, string | undefined>> {
  if ('rawPath' in event) {
    return isFunctionUrl(event) ? {} : parametersOf(templateOf(event), event.rawPath, event.pathParameters);
  }
  if (!('resource' in event) || event.version !== '1.0') return {};
  return parametersOf(event.resource, event.path, event.pathParameters);
}

/** Of a route that is not given by name the whole path, in which a slash tells nothing. */
function parametersOf(
  template: string | undefined,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> | null | undefined,
): Readonly<Record<string, string | undefined>> {
  const isNamed = template !== undefined && !template.includes('+}');
  return isNamed ? (parameters ?? {}) : { path: path.replaceAll('/', '') };
}

type Version2Event = Extract<LambdaEvent, { rawPath: string }>;
type PathEvent = Exclude<LambdaEvent, Version2Event>;

function correctVersion2(event: Version2Event): Version2Event {
  if (isFunctionUrl(event)) return event;
  return { ...event, rawPath: encodedPath(templateOf(event), event.rawPath, event.pathParameters) };
}

function isFunctionUrl({ requestContext }: Version2Event): boolean {
  return requestContext.domainName.includes('.lambda-url.');
}

/** The route that an event came by; undefined for the default route. */
function templateOf({ routeKey }: Version2Event): string | undefined {
  return /^[A-Z]+ (\/.*)$/.exec(routeKey)?.[1];
}

/** Payload version 1.0 of an HTTP API says so; an event of a REST API has no version. */
function correctVersion1(event: Exclude<HttpEvent, Version2Event>): PathEvent {
  if (!('resource' in event)) return event;
  const { version, resource, path, pathParameters } = event;
  const corrected =
    version === '1.0' ? encodedPath(resource, path, pathParameters) : withoutBasePath(resource, path);
  return { ...event, version: '1.0', path: corrected };
}

/** The path of a route with its decoded parameters. A route that is not given by name keeps its slashes as they are. */
function encodedPath(
  template: string | undefined,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> | null | undefined,
): string {
  if (template === undefined || template.includes('+}')) {
    return path.split('/').map(encodeSegment).join('/');
  }
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(parameters?.[name] ?? ''));
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

/** A custom domain may put a base path or the stage before the resource's path. */
function withoutBasePath(resource: string, path: string): string {
  const segments = path.split('/');
  const surplus = segments.length - resource.split('/').length;
  if (surplus <= 0 || resource.includes('+}')) return path;
  return `/${segments.slice(surplus + 1).join('/')}`;
}

/** A `Request` cannot carry a body with GET or HEAD; nothing reads one there. */
function withoutUnusableBody(event: Version2Event | PathEvent): Version2Event | PathEvent {
  const method = 'rawPath' in event ? event.requestContext.http.method : methodOf(event);
  return method === 'GET' || method === 'HEAD' ? { ...event, body: null } : event;
}

function methodOf(event: PathEvent): string {
  return 'httpMethod' in event ? event.httpMethod : event.method;
}
