import { AgentMemoryError } from '../../errors/agent-memory-error.ts';

/** How requests are authenticated. HTTP Basic takes the database user; OAuth2 a client registered in ORDS. */
export type OrdsCredentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly kind: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret: string;
      /** Default: `<url>/oauth/token`. */
      readonly tokenUrl?: string | undefined;
    };

/**
 * What is on the wire. `rest-sql`: SQL text, for `_/sql`. `module`: which installed statement, for the module that
 * `npm run schema -- module` sets up (docs/ords.md).
 */
export const ORDS_MODES = ['rest-sql', 'module'] as const;
/** One of `ORDS_MODES`. */
export type OrdsMode = (typeof ORDS_MODES)[number];

/** Where ORDS is, who calls it, and how. */
export interface OrdsConfig {
  /** Address of the REST-enabled schema: `https://host/ords/memory`. Plain HTTP only to this computer. */
  readonly url: string;
  readonly credentials: OrdsCredentials;
  /** @default 'rest-sql' */
  readonly mode?: OrdsMode | undefined;
  /** Whether the package of the module says whose rows a call may touch (ROW_ISOLATION=vpd). @default false */
  readonly isolatesRows?: boolean | undefined;
  /** Rows that one query may return; at most ORDS's `misc.pagination.maxRows`. Default 10,000. */
  readonly maxRows?: number | undefined;
  /** Milliseconds that one call may take, answer included. Default 30,000. */
  readonly timeoutMilliseconds?: number | undefined;
  /** How often a query is sent again when the connection fails before an answer. Default 2. */
  readonly readRetries?: number | undefined;
}

/** The configuration with defaults filled in and addresses checked. */
export interface ResolvedOrdsConfig {
  readonly schemaUrl: string;
  readonly mode: OrdsMode;
  readonly isolatesRows: boolean;
  readonly tokenUrl: string;
  readonly credentials: OrdsCredentials;
  readonly maxRows: number;
  readonly timeoutMilliseconds: number;
  readonly readRetries: number;
}

/** @throws AgentMemoryError `invalid_request` naming the setting */
export function resolveOrdsConfig(config: OrdsConfig): ResolvedOrdsConfig {
  const url = checkedUrl('ORDS_URL', config.url);
  const { credentials } = config;
  const ownTokenUrl = credentials.kind === 'client_credentials' ? credentials.tokenUrl : undefined;
  return {
    schemaUrl: url,
    mode: config.mode ?? 'rest-sql',
    isolatesRows: isolatesRows(config),
    tokenUrl: ownTokenUrl === undefined ? `${url}/oauth/token` : checkedUrl('ORDS_TOKEN_URL', ownTokenUrl),
    credentials,
    maxRows: positive('maxRows', config.maxRows ?? 10_000),
    timeoutMilliseconds: positive('timeoutMilliseconds', config.timeoutMilliseconds ?? 30_000),
    readRetries: config.readRetries ?? 2,
  };
}

/** SQL text that travels runs in a session that nothing has restricted. */
function isolatesRows({ isolatesRows: wanted = false, mode = 'rest-sql' }: OrdsConfig): boolean {
  if (wanted && mode !== 'module') throw wrongSetting('ROW_ISOLATION', 'needs ORDS_MODE=module over ORDS');
  return wanted;
}

function checkedUrl(setting: string, value: string): string {
  if (!URL.canParse(value)) throw wrongSetting(setting, 'is not a URL');
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw wrongSetting(setting, 'must have no credentials, query or fragment');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisComputer(url.hostname))) {
    throw wrongSetting(setting, 'must use https: credentials and memories would be readable on the way');
  }
  return url.href.replace(/\/+$/, '');
}

function isThisComputer(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(?:127\.|\[::1\]$)/.test(hostname);
}

function positive(setting: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw wrongSetting(setting, 'must be a whole number above 0');
  return value;
}

function wrongSetting(setting: string, problem: string): AgentMemoryError {
  return new AgentMemoryError('invalid_request', `${setting} ${problem}`, {
    issues: [{ path: setting, message: problem }],
  });
}
