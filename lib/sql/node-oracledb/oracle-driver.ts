/** One of the driver's `DB_TYPE_…` constants. */
export type DriverType = object;

/** A value for a bind, or where the value of an out bind goes. */
export type DriverBind =
  | { readonly val: string | number | null; readonly type: DriverType }
  | { readonly dir: number; readonly type: DriverType };

/** What the driver tells of a column before it fetches it. */
export interface DriverColumn {
  readonly name: string;
  readonly dbType?: DriverType;
}

export interface DriverExecuteOptions {
  readonly autoCommit?: boolean;
  readonly outFormat?: number;
  /** 0 is no limit. */
  readonly maxRows?: number;
  readonly fetchArraySize?: number;
  readonly prefetchRows?: number;
  readonly fetchTypeHandler?: (column: DriverColumn) => { readonly type: DriverType } | undefined;
}

export interface DriverResult {
  readonly metaData?: readonly DriverColumn[] | undefined;
  readonly rows?: readonly (readonly unknown[])[] | undefined;
  readonly outBinds?: Readonly<Record<string, unknown>> | undefined;
  /** Of a CREATE that stored something that does not compile. */
  readonly warning?: unknown;
}

/** A session of the pool. One statement runs on it at a time. */
export interface DriverSession {
  /** Milliseconds that one round trip may take; 0 is no limit. */
  callTimeout?: number | undefined;
  execute(
    sql: string,
    binds: Readonly<Record<string, DriverBind>>,
    options: DriverExecuteOptions,
  ): Promise<DriverResult>;
  /** Interrupts the statement that runs. */
  break(): Promise<void>;
  ping(): Promise<void>;
  /** Gives the session back; what was not committed is rolled back. */
  close(): Promise<void>;
}

export interface DriverPool {
  getConnection(): Promise<DriverSession>;
  /** Closes the sessions, those in use after so many seconds. */
  close(drainSeconds: number): Promise<void>;
}

/** A token of OAuth 2.0, or of Oracle Cloud's IAM with the private key that proves it. */
export type AccessToken = string | { readonly token: string; readonly privateKey: string };

/** Where the driver gets tokens: `refresh` is true when the one that it has expired. */
export type AccessTokenSource = (refresh: boolean) => Promise<AccessToken>;

export interface DriverPoolOptions {
  readonly connectString: string;
  readonly user?: string;
  readonly password?: string;
  readonly externalAuth?: boolean;
  readonly homogeneous: true;
  readonly walletContent?: string;
  readonly walletPassword?: string;
  readonly poolMin: number;
  readonly poolMax: number;
  readonly poolIncrement: number;
  readonly poolTimeout: number;
  readonly poolPingInterval: number;
  readonly poolPingTimeout: number;
  readonly maxLifetimeSession: number;
  readonly queueTimeout: number;
  readonly queueMax: number;
  readonly connectTimeout: number;
  readonly transportConnectTimeout: number;
  readonly retryCount: number;
  readonly stmtCacheSize: number;
  /** Called once for each new session. */
  readonly sessionCallback?: (
    session: DriverSession,
    requestedTag: string,
    done: (error?: unknown) => void,
  ) => void;
}

/** The driver waits for a token, which the types that are published for it do not know. */
export interface DriverTokenOptions extends DriverPoolOptions {
  readonly accessToken?: AccessTokenSource;
}

/**
 * The members of node-oracledb in Thin mode that the transport uses. Described as a structure, so that nothing here
 * imports the package: the composition root that wants it hands it in, and no other bundle carries it.
 */
export interface OracleDriver {
  readonly BIND_OUT: number;
  readonly OUT_FORMAT_ARRAY: number;
  readonly DB_TYPE_VARCHAR: DriverType;
  readonly DB_TYPE_CLOB: DriverType;
  readonly DB_TYPE_NUMBER: DriverType;
  /** Sessions of Database Resident Connection Pooling are shared within a class. */
  connectionClass: string;
  createPool(options: DriverPoolOptions): Promise<DriverPool>;
}
