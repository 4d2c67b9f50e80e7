import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';

/** The path of a URL as it was sent, still percent-encoded: `/v1/threads/a%2Fb`. */
export function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/**
 * The parameters of a path that matched `template` (`/threads/{threadId}`), percent-decoded exactly once.
 *
 * @throws AgentMemoryError `invalid_request` naming the parameter when its encoding is broken
 */
export function readPathParameters(template: string, path: string): Readonly<Record<string, string>> {
  const segments = path.split('/');
  const parameters = template.split('/').flatMap((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? [] : [[name, decodeParameter(name, segments[index] ?? '')] as const];
  });
  return Object.fromEntries(parameters);
}

function decodeParameter(name: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalidRequest(name, 'is not valid percent-encoded UTF-8');
  }
}

/**
 * Query parameters by name.
 *
 * @throws AgentMemoryError `invalid_request` naming a parameter that stands there twice
 */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URL(url).searchParams) {
    if (name in query) throw invalidRequest(name, 'must be given only once');
    query[name] = value;
  }
  return query;
}
