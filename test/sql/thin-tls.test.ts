import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import type { ThinConfiguration } from '../../functions/runtime/thin-configuration.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';

/** Made with OpenSSL for these tests: a server of `localhost`, and a wallet whose key has the password `wallet`. */
const read = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');
const AUTHORITY = read('authority.pem');
const SERVER = read('server.pem');
const WALLET = read('ewallet.pem');
const QUERY = { name: 'one', sql: 'SELECT 1 AS one FROM dual', binds: {}, shape: { one: 'number' } } as const;

let emulator: Emulator;
const ends: (() => Promise<unknown>)[] = [];

/** A listener for TLS in front of that of the emulator. */
async function listen(options: TlsOptions): Promise<number> {
  const port = Number(/:(\d+)\//.exec(emulator.connectString ?? '')?.[1]);
  const server = createServer({ key: SERVER, cert: SERVER, ...options }, (client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function ask(connectString: string, wallet?: ThinConfiguration['wallet']): Promise<unknown> {
  const { username: user, password } = emulator;
  const credentials = { kind: 'password', user, password } as const;
  const transport = openThinTransport({ connectString, credentials, wallet });
  try {
    return await transport.query(QUERY);
  } finally {
    await transport.close();
  }
}

const misconfigured = {
  code: 'internal',
  retryable: false,
  message: 'the secure connection to the database is not configured correctly',
};

beforeAll(async () => {
  emulator = await startEmulator({ tnsPort: 0 });
});
afterAll(async () => {
  await Promise.all(ends.map((end) => end()));
  await emulator?.close();
});

describe('a direct connection over TLS', () => {
  it('needs no wallet for a server that the process trusts, and checks its name', async () => {
    const port = await listen({});
    const address = `tcps://localhost:${port}/AGENTMEMORY`;
    await expect(ask(address)).rejects.toMatchObject(misconfigured);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, AUTHORITY]);
    try {
      expect(await ask(address)).toEqual([{ one: 1 }]);
      const subject = '(ssl_server_cert_dn="CN=other")';
      const descriptor =
        `(description=(address=(protocol=tcps)(host=localhost)(port=${port}))` +
        `(connect_data=(service_name=AGENTMEMORY))(security=(ssl_server_dn_match=yes)${subject}))`;
      await expect(ask(descriptor)).rejects.toMatchObject(misconfigured);
      expect(await ask(descriptor.replace(subject, ''))).toEqual([{ one: 1 }]);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('shows its own certificate with the password of the wallet', async () => {
    const port = await listen({ requestCert: true, rejectUnauthorized: true, ca: AUTHORITY });
    const address = `tcps://localhost:${port}/AGENTMEMORY`;
    expect(await ask(address, { content: WALLET, password: 'wallet' })).toEqual([{ one: 1 }]);
    await expect(ask(address, { content: WALLET, password: 'another' })).rejects.toMatchObject(misconfigured);
    await expect(ask(address, { content: AUTHORITY })).rejects.toMatchObject(misconfigured);
  });
});
