import type { LambdaEvent } from 'hono/aws-lambda';
import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';

/** Events of API Gateway (REST and HTTP APIs) and of Function URLs. */
export type HttpEvent = LambdaEvent;

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;

/**
 * An event with its path as the client sent it, percent-encoded once, which is what the app routes on. REST APIs and
 * Function URLs deliver the path so; HTTP APIs deliver it decoded, so it is built again from the route and its
 * parameters.
 *
 * @throws AgentMemoryError `invalid_request` for a path with `.` or `..`, which would become another path
 */
export function correctEvent(event: HttpEvent): HttpEvent {
  const corrected = withoutUnusableBody('rawPath' in event ? correctVersion2(event) : correctVersion1(event));
  const path = 'rawPath' in corrected ? corrected.rawPath : corrected.path;
  if (DOT_SEGMENT.test(path)) throw invalidRequest('path', 'must not have "." or ".." segments');
  return corrected;
}

type Version2Event = Extract<HttpEvent, { rawPath: string }>;
type PathEvent = Exclude<HttpEvent, Version2Event>;

function correctVersion2(event: Version2Event): Version2Event {
  const { domainName } = event.requestContext;
  if (domainName.includes('.lambda-url.')) return event;
  const template = /^[A-Z]+ (\/.*)$/.exec(event.routeKey)?.[1];
  return { ...event, rawPath: encodedPath(template, event.rawPath, event.pathParameters) };
}

/** Payload version 1.0 of an HTTP API says so; an event of a REST API has no version. */
function correctVersion1(event: PathEvent): PathEvent {
  if (!('resource' in event)) return event;
  if (event.version === '1.0') {
    return { ...event, path: encodedPath(event.resource, event.path, event.pathParameters) };
  }
  return { ...event, path: withoutBasePath(event.resource, event.path) };
}

/** The path of a route with its decoded parameters. A route that is not given by name keeps its slashes as they are. */
function encodedPath(
  template: string | undefined,
  path: string,
  parameters: Readonly<Record<string, string | undefined>> | null | undefined,
): string {
  if (template === undefined || template.includes('+}')) {
    return path.split('/').map(encodeURIComponent).join('/');
  }
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters?.[name] ?? ''));
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
