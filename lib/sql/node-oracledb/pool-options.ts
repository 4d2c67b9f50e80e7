import type { ResolvedThinConfig } from './config.ts';
import type { DriverTokenOptions } from './oracle-driver.ts';
import { prepareNewSession } from './session-settings.ts';

/** Class of the sessions that a server pool shares among the processes of this service. */
export const CONNECTION_CLASS = 'AGENT_MEMORY';

/** Milliseconds in which a session must answer a ping: two dead ones and a log-in fit into five seconds. */
const PING_MILLISECONDS = 1_000;
/** Milliseconds that a caller waits for a session, its log-in included. */
const QUEUE_MILLISECONDS = 5_000;

/**
 * A pool for processes that are frozen between requests (node-oracledb, "Connection Pooling"): no session is opened
 * before it is needed, one that was not used for a second is pinged before it is used again, so that a socket that died in
 * the meantime is found out, and nothing waits for longer than a request can.
 */
export function poolOptions(config: ResolvedThinConfig): DriverTokenOptions {
  const { credentials, wallet } = config;
  return {
    connectString: config.connectString,
    homogeneous: true,
    ...(credentials.kind === 'password'
      ? { user: credentials.user, password: credentials.password }
      : { externalAuth: true, accessToken: credentials.accessToken }),
    ...(wallet === undefined ? {} : { walletContent: wallet.content }),
    ...(wallet?.password === undefined ? {} : { walletPassword: wallet.password }),
    poolMin: 0,
    poolMax: config.poolMax,
    poolIncrement: 1,
    poolTimeout: 60,
    poolPingInterval: 1,
    poolPingTimeout: PING_MILLISECONDS,
    maxLifetimeSession: 900,
    queueTimeout: QUEUE_MILLISECONDS,
    queueMax: 500,
    connectTimeout: 5,
    transportConnectTimeout: 3,
    retryCount: 0,
    stmtCacheSize: 100,
    ...(config.usesServerPool ? {} : { sessionCallback: prepareNewSession }),
  };
}
