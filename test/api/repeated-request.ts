import type { App } from '../../functions/app.ts';
import { costsOf, jsonRequest } from './api-fixture.ts';

/** An answer as its bytes, and what its headers say. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly replayed: string | null;
  readonly retryAfter: string | null;
  readonly db: number;
  readonly llm: number;
}

/** Sends a POST, with an idempotency key when there is one; `body` undefined = no body. */
export async function post(
  app: App,
  path: string,
  body: unknown,
  key?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const init = body === undefined ? { method: 'POST' } : jsonRequest('POST', body);
  const sent = new Headers(init.headers);
  if (key !== undefined) sent.set('Idempotency-Key', key);
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  const response = await app.request(`/v1${path}`, { ...init, headers: sent });
  const { db, llm } = costsOf(response);
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('Idempotency-Replayed'),
    retryAfter: response.headers.get('Retry-After'),
    db,
    llm,
  };
}
