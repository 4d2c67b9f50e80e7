import type { MiddlewareHandler } from 'hono';
import { EMULATED_MODEL } from '../../../functions/runtime/emulated-model.ts';
import type { FixedStatement } from '../../../lib/sql/fixed-statement.ts';
import { createLocalDatabaseModel } from '../models/local-database-model.ts';
import { createOracleEngine } from './engine/create-oracle-engine.ts';
import type { OracleEngine, OracleEngineOptions } from './engine/oracle-engine.ts';
import type { OrdsClient } from './ords/authentication.ts';
import { createOrdsApp } from './ords/create-ords-app.ts';
import { InstalledStatements } from './ords/installed-statements.ts';
import { createLocalFetch } from './ords/local-fetch.ts';
import { serveOrds } from './ords/serve-ords.ts';
import { TnsListener, type TnsOptions } from './tns/tns-listener.ts';

/** Credentials, schema alias and service name of every local emulator. */
export const EMULATOR_CREDENTIALS = {
  schema: 'memory',
  username: 'memory',
  password: 'emulator',
  serviceName: 'AGENTMEMORY',
} as const;

/** Ports, credentials and faults of an emulator; without any it is in this process alone and keeps nothing. */
export interface EmulatorOptions extends OracleEngineOptions {
  /** Serves ORDS on this port of 127.0.0.1 as well; 0 takes any free one. In process only when absent. */
  readonly ordsPort?: number | undefined;
  readonly clients?: readonly OrdsClient[] | undefined;
  readonly tokenSeconds?: number | undefined;
  readonly now?: (() => number) | undefined;
  /** Listens for the thin mode of node-oracledb on this port of 127.0.0.1; 0 takes any free one. None when absent. */
  readonly tnsPort?: number | undefined;
  /** What goes wrong with calls of the listener in tests. */
  readonly tnsFaults?: TnsOptions['faults'];
  readonly tnsHandshake?: TnsOptions['handshake'];
  /** Runs before every ORDS request: `HttpFaults.middleware` in tests. */
  readonly middleware?: MiddlewareHandler | undefined;
}

/** A running emulator: the database, and ORDS in front of it. */
export interface Emulator {
  readonly engine: OracleEngine;
  /** Reaches ORDS in this process, whatever the host in the URL is. */
  readonly fetch: typeof fetch;
  /** `http://127.0.0.1:{port}/ords/memory`. */
  readonly ordsUrl: string;
  /** `127.0.0.1:{port}/AGENTMEMORY` with a TNS listener, else undefined. */
  readonly connectString: string | undefined;
  /** Undefined without `tnsPort`. It can be stopped and started while the database lives. */
  readonly listener: TnsListener | undefined;
  readonly username: string;
  readonly password: string;
  /**
   * Adds to what the ORDS module runs, as the script of `npm run schema -- module` does on Oracle.
   *
   * @param rowAccessProcedure restricts the session of each call; absent: the package is one without row isolation
   */
  installStatements(statements: readonly FixedStatement[], rowAccessProcedure?: string): void;
  close(): Promise<void>;
}

/**
 * Starts the Oracle emulator in this process. VECTOR_EMBEDDING knows `EMULATED_MODEL`, unless other models are given.
 *
 * @throws DataDirectoryInUseError when another process has the data directory
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { schema, username, password } = EMULATOR_CREDENTIALS;
  const engine = await createOracleEngine({
    embeddingModels: new Map([[EMULATED_MODEL, createLocalDatabaseModel()]]),
    ...options,
  });
  const statements = new InstalledStatements();
  const app = createOrdsApp({ ...options, engine, schema, username, password, statements });
  try {
    const server = options.ordsPort === undefined ? undefined : await serveOrds(app, options.ordsPort);
    const listener = await startListener(engine, options).catch(async (error) => {
      await server?.close();
      throw error;
    });
    return {
      engine,
      fetch: createLocalFetch(app),
      ordsUrl: `http://127.0.0.1${server === undefined ? '' : `:${server.port}`}/ords/${schema}`,
      connectString: listener?.connectString,
      listener,
      username,
      password,
      installStatements: (list, procedure) => statements.install(list, procedure),
      async close() {
        await Promise.all([server?.close(), listener?.stop()]);
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function startListener(
  engine: OracleEngine,
  options: EmulatorOptions,
): Promise<TnsListener | undefined> {
  if (options.tnsPort === undefined) {
    return undefined;
  }
  const { tnsPort: port, tnsFaults: faults, tnsHandshake: handshake } = options;
  const listener = new TnsListener({ ...EMULATOR_CREDENTIALS, engine, port, faults, handshake });
  await listener.start();
  return listener;
}
