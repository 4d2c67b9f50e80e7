import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';

export interface OrdsItem {
  readonly statementType?: string;
  readonly result?: number;
  readonly errorCode?: number;
  readonly errorDetails?: string;
  readonly errorLine?: number;
  readonly errorColumn?: number;
  readonly response?: readonly string[];
  readonly resultSet?: {
    readonly metadata?: readonly Readonly<Record<string, unknown>>[];
    readonly items: readonly Readonly<Record<string, unknown>>[];
    readonly hasMore: boolean;
    readonly limit: number;
    readonly offset: number;
    readonly count: number;
  };
  readonly binds?: readonly Readonly<Record<string, unknown>>[];
}

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/** Sends a body to `_/sql` as the schema user. */
export function post(
  emulator: Emulator,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return emulator.fetch(`${emulator.ordsUrl}/_/sql`, {
    method: 'POST',
    headers: {
      authorization: basic(emulator.username, emulator.password),
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
}

/** The single item of the answer to a request. */
export async function send(
  emulator: Emulator,
  request: Readonly<Record<string, unknown>>,
): Promise<OrdsItem> {
  const response = await post(emulator, JSON.stringify(request));
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`HTTP ${response.status}: ${text}`);
  }
  const body: { readonly items: readonly OrdsItem[] } = JSON.parse(text);
  const [item] = body.items;
  if (item === undefined || body.items.length !== 1) {
    throw new Error(`expected one item: ${text}`);
  }
  return item;
}
