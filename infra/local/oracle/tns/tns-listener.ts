import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { OracleEngine } from '../engine/oracle-engine.ts';
import { createVerifier } from './session/password-verifier.ts';
import { TnsConnection } from './tns-connection.ts';
import { TnsFaults } from './tns-faults.ts';

export interface TnsOptions {
  readonly engine: OracleEngine;
  /** Port of 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** At least two characters, as the driver's short form of a connect string wants it. */
  readonly serviceName: string;
  readonly username: string;
  readonly password: string;
  /** What goes wrong in tests. */
  readonly faults?: TnsFaults | undefined;
  /** `23ai`: fast authentication and marked ends of answers; `19c`: neither. Default `23ai`. */
  readonly handshake?: '23ai' | '19c' | undefined;
}

const HOST = '127.0.0.1';

/** The listener of the emulator, which the thin mode of node-oracledb connects to. */
export class TnsListener {
  readonly #options: TnsOptions;
  readonly #connections = new Set<TnsConnection>();
  readonly #verifier;
  #server: Server | undefined;
  #port: number;
  #lastSessionId = 0;

  constructor(options: TnsOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#verifier = createVerifier(options.password);
  }

  /** EZConnect string: `127.0.0.1:{port}/{service name}`. */
  get connectString(): string {
    return `${HOST}:${this.#port}/${this.#options.serviceName}`;
  }

  /** Listens, again on the same port after `stop`. Rejects with the `EADDRINUSE` of Node when the port is taken. */
  async start(): Promise<void> {
    const server = createServer((socket) => {
      const { engine, serviceName, username, faults = NO_FAULTS, handshake = '23ai' } = this.#options;
      const connection = new TnsConnection(socket, {
        engine,
        faults,
        service: { serviceName, username, verifier: this.#verifier },
        sessionId: ++this.#lastSessionId,
        endsResponses: handshake === '23ai',
      });
      this.#connections.add(connection);
      socket.on('close', async () => {
        await connection.close();
        this.#connections.delete(connection);
      });
    });
    server.listen(this.#port, HOST);
    await once(server, 'listening');
    const address = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : this.#port;
    this.#server = server;
  }

  /** Stops listening and ends every session; what is not committed is rolled back. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) {
      return;
    }
    const closed = once(server, 'close');
    server.close();
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await closed;
  }
}

const NO_FAULTS = new TnsFaults();
