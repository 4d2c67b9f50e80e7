/** Where a model answers and how long it may take. */
export interface OpenAiCompatibleEndpoint {
  /** Base URL up to the version, for example `https://api.example.com/v1`. */
  readonly apiBase: string;
  /** Sent as a bearer token when given. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** @default 60 */
  readonly timeoutSeconds?: number | undefined;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

/** The part of a provider model's configuration that every kind of model shares. */
export function modelConfig(endpoint: OpenAiCompatibleEndpoint) {
  const base = endpoint.apiBase.replace(/\/+$/, '');
  return {
    provider: 'openai-compatible',
    url: ({ path }: { readonly path: string }) => `${base}${path}`,
    headers: endpoint.apiKey === undefined ? {} : { Authorization: `Bearer ${endpoint.apiKey}` },
    ...(endpoint.fetch === undefined ? {} : { fetch: endpoint.fetch }),
  };
}

/** A signal that ends a call with the endpoint's time-out, or with the caller's own signal. */
export function callSignal(endpoint: OpenAiCompatibleEndpoint, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout((endpoint.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
