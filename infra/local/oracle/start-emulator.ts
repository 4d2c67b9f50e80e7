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

/** Credentials and schema alias of every local emulator. */
export const EMULATOR_CREDENTIALS = { schema: 'memory', username: 'memory', password: 'emulator' } as const;

export interface EmulatorOptions extends OracleEngineOptions {
  /** Serves ORDS on this port of 127.0.0.1 as well; 0 takes any free one. In process only when absent. */
  readonly ordsPort?: number | undefined;
  readonly clients?: readonly OrdsClient[] | undefined;
  readonly tokenSeconds?: number | undefined;
  readonly now?: (() => number) | undefined;
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
  readonly username: string;
  readonly password: string;
  /** Adds to what the ORDS module runs, as the script of `npm run schema -- module` does on Oracle. */
  installStatements(statements: readonly FixedStatement[]): void;
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
    return {
      engine,
      fetch: createLocalFetch(app),
      ordsUrl: `http://127.0.0.1${server === undefined ? '' : `:${server.port}`}/ords/${schema}`,
      username,
      password,
      installStatements: (list) => statements.install(list),
      async close() {
        await server?.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
