import type { Hono } from 'hono';

/** The `fetch` of an app in this process: no socket, but it aborts and fails as a real one does. */
export function createLocalFetch(app: Hono): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([answer(app, request), aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}

async function answer(app: Hono, request: Request): Promise<Response> {
  try {
    return await app.fetch(request);
  } catch (cause) {
    throw new TypeError('fetch failed', { cause });
  }
}
