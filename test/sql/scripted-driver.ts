import type { ThinConfig } from '../../lib/sql/node-oracledb/config.ts';
import type {
  DriverBind,
  DriverExecuteOptions,
  DriverPoolOptions,
  DriverResult,
  DriverTokenOptions,
  OracleDriver,
} from '../../lib/sql/node-oracledb/oracle-driver.ts';
import { createThinTransport } from '../../lib/sql/node-oracledb/thin-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** One statement that reached the driver. */
export interface ScriptedExecution {
  readonly sql: string;
  readonly binds: Readonly<Record<string, DriverBind>>;
  readonly options: DriverExecuteOptions;
  readonly callTimeout: number | undefined;
}

/** Answers of a driver that connects to nothing. */
export interface DriverScript {
  createPool?(options: DriverTokenOptions): Promise<void>;
  getConnection?(): Promise<void>;
  setSession?(): Promise<void>;
  execute?(sql: string): Promise<DriverResult>;
}

export interface ScriptedDriver {
  readonly driver: OracleDriver;
  readonly pools: readonly DriverTokenOptions[];
  /** Statements but for the settings of sessions. */
  readonly executions: readonly ScriptedExecution[];
  /** Statements that set a session. */
  readonly settings: readonly string[];
  /** What was done with sessions and pools, in order. */
  readonly events: readonly string[];
}

export const TYPES = { varchar: { name: 'varchar' }, clob: { name: 'clob' }, number: { name: 'number' } };

/** An error as the driver throws it. */
export function driverError(code: string, text = ''): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}

export function createScriptedDriver(script: DriverScript): ScriptedDriver {
  const pools: DriverTokenOptions[] = [];
  const executions: ScriptedExecution[] = [];
  const settings: string[] = [];
  const events: string[] = [];
  const openSession = () => ({
    callTimeout: 0,
    async execute(sql: string, binds: ScriptedExecution['binds'], options: DriverExecuteOptions) {
      if (sql.startsWith('ALTER SESSION')) {
        settings.push(sql);
        await script.setSession?.();
        return {};
      }
      executions.push({ sql, binds, options, callTimeout: this.callTimeout });
      return script.execute?.(sql) ?? {};
    },
    break: async () => void events.push('break'),
    ping: async () => void events.push('ping'),
    close: async () => void events.push('session closed'),
  });
  const driver: OracleDriver = {
    BIND_OUT: 3003,
    OUT_FORMAT_ARRAY: 4001,
    DB_TYPE_VARCHAR: TYPES.varchar,
    DB_TYPE_CLOB: TYPES.clob,
    DB_TYPE_NUMBER: TYPES.number,
    connectionClass: '',
    async createPool(options: DriverPoolOptions) {
      pools.push(options);
      await script.createPool?.(options);
      return {
        async getConnection() {
          await script.getConnection?.();
          const session = openSession();
          await new Promise<void>((resolve, reject) => {
            if (options.sessionCallback === undefined) resolve();
            options.sessionCallback?.(session, '', (error) =>
              error === undefined ? resolve() : reject(error),
            );
          });
          return session;
        },
        close: async () => void events.push('pool closed'),
      };
    },
  };
  return { driver, pools, executions, settings, events };
}

export const CONFIG: ThinConfig = {
  connectString: 'db.example.com:1521/memory',
  credentials: { kind: 'password', user: 'memory', password: 'secret' },
};

/** A transport over such a driver, without waiting between attempts. */
export function scriptedTransport(
  { driver }: ScriptedDriver,
  config: Partial<ThinConfig> = {},
): SqlTransport {
  const runtime = { wait: () => Promise.resolve(), random: () => 0 };
  return createThinTransport({ ...CONFIG, ...config }, () => Promise.resolve(driver), runtime);
}
