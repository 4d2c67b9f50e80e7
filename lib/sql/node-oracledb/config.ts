import { invalidRequest } from '../../errors/agent-memory-error.ts';
import { allowsPlainText, namesUser, shortenRetries, usesServerPool } from './connect-string.ts';
import type { AccessTokenSource } from './oracle-driver.ts';

/** Who the service is to the database. */
export type ThinCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  /** Tokens of OAuth 2.0 or Oracle Cloud's IAM; the database takes them over TLS only. */
  | { readonly kind: 'token'; readonly accessToken: AccessTokenSource };

/** For mutual TLS. */
export interface ThinWallet {
  /** Text of `ewallet.pem`. */
  readonly content: string;
  readonly password?: string | undefined;
}

/** Where the database is, who connects, and how many sessions there may be. */
export interface ThinConfig {
  /** `host:1521/service`, `tcps://…` or a descriptor `(description=…)`. */
  readonly connectString: string;
  readonly credentials: ThinCredentials;
  readonly wallet?: ThinWallet | undefined;
  /** Procedure that says whose rows a session sees, where the database isolates rows; without it no call is restricted. */
  readonly rowAccessProcedure?: string | undefined;
  /** Sessions at once. @default 2 */
  readonly poolMax?: number | undefined;
  /** Rows that one query may return. @default 10000 */
  readonly maxRows?: number | undefined;
  /** Milliseconds that one call may take, the wait for a session included. @default 30000 */
  readonly timeoutMilliseconds?: number | undefined;
}

/** The configuration with defaults filled in and checked. */
export interface ResolvedThinConfig {
  readonly connectString: string;
  readonly credentials: ThinCredentials;
  readonly wallet: ThinWallet | undefined;
  /** Database Resident Connection Pooling: the session behind a connection may be another one at each call. */
  readonly usesServerPool: boolean;
  readonly rowAccessProcedure: string | undefined;
  readonly poolMax: number;
  readonly maxRows: number;
  readonly timeoutMilliseconds: number;
}

const NEEDS_TLS = 'needs TLS: every address of ORACLE_CONNECT_STRING must have the protocol tcps';

/** @throws AgentMemoryError `invalid_request` naming the setting */
export function resolveThinConfig(config: ThinConfig): ResolvedThinConfig {
  const connectString = config.connectString.trim();
  if (connectString === '') throw invalidRequest('ORACLE_CONNECT_STRING', 'is empty');
  if (namesUser(connectString)) {
    throw invalidRequest(
      'ORACLE_CONNECT_STRING',
      'must not hold user and password, which have variables of their own',
    );
  }
  if (allowsPlainText(connectString)) refuseSecretsOfTls(config);
  return {
    connectString: shortenRetries(connectString),
    credentials: config.credentials,
    wallet: config.wallet,
    usesServerPool: usesServerPool(connectString),
    rowAccessProcedure: config.rowAccessProcedure,
    poolMax: positive('poolMax', config.poolMax ?? 2),
    maxRows: positive('maxRows', config.maxRows ?? 10_000),
    timeoutMilliseconds: positive('timeoutMilliseconds', config.timeoutMilliseconds ?? 30_000),
  };
}

/** A token would cross the network readable, and a wallet would not be used. */
function refuseSecretsOfTls({ credentials, wallet }: ThinConfig): void {
  if (credentials.kind === 'token') throw invalidRequest('ORACLE_TOKEN_LOCATION', NEEDS_TLS);
  if (wallet !== undefined) throw invalidRequest('ORACLE_WALLET', NEEDS_TLS);
}

function positive(setting: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw invalidRequest(setting, 'must be a whole number above 0');
  }
  return value;
}
