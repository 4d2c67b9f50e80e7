import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { ORDS_MODES, type OrdsMode } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';

const QUERY = { name: 'q', sql: 'SELECT 1 AS one FROM dual', binds: {}, shape: { one: 'number' } } as const;
const LIST = { name: 'l', binds: {}, statements: [{ name: 's', sql: 'DELETE FROM note' }] };
const BODIES = {
  'rest-sql': {
    rows: { items: [{ resultSet: { metadata: [{ jsonColumnName: 'one' }], items: [{ one: 1 }] } }] },
    done: { items: [{ binds: [{ name: 'rows_1', result: 1 }] }] },
  },
  module: { rows: { columns: ['one'], rows: [[1]], more: false }, done: { outs: { rows_1: 1 } } },
} as const;

let close = async (): Promise<void> => {};
afterEach(() => close());

/** A server on a port of this computer; `waited` holds the waits of the transport, which end at once. */
async function serveMode(mode: OrdsMode, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return transportTo(`http://127.0.0.1:${address.port}/ords/memory`, mode);
}

function transportTo(url: string, mode: OrdsMode) {
  const waited: number[] = [];
  const wait = async (milliseconds: number) => void waited.push(milliseconds);
  const credentials = { kind: 'basic', username: 'u', password: 'p' } as const;
  return {
    transport: createOrdsTransport({ url, credentials, mode, timeoutMilliseconds: 5_000 }, { wait }),
    waited,
  };
}

const json = (body: unknown): RequestListener => {
  return (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};

describe.each(ORDS_MODES)('the ORDS transport over a port, %s', (mode) => {
  const { rows, done } = BODIES[mode];
  const serve = (listener: RequestListener) => serveMode(mode, listener);

  it('runs a query and a list', async () => {
    expect(await (await serve(json(rows))).transport.query(QUERY)).toEqual([{ one: 1 }]);
    await close();
    expect(await (await serve(json(done))).transport.executeAtomic(LIST)).toEqual({ s: 1 });
  });

  it('sends a query again, but no write, when the server drops the connection', async () => {
    let requests = 0;
    const { transport, waited } = await serve((request, response) => {
      requests += 1;
      if (requests === 2) json(rows)(request, response);
      else request.socket.destroy();
    });
    expect(await transport.query(QUERY)).toEqual([{ one: 1 }]);
    expect([requests, waited.length]).toEqual([2, 1]);
    await expect(transport.executeAtomic(LIST)).rejects.toMatchObject({ code: 'unavailable' });
    expect([requests, waited.length]).toEqual([3, 1]);
  });

  it('sends a write again when nobody listens: nothing can have been committed', async () => {
    const { transport, waited } = await serve(json(done));
    await close();
    await expect(transport.executeAtomic(LIST)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    expect(waited).toHaveLength(2);
  });

  it('follows no redirect, which would carry memories elsewhere', async () => {
    const paths: (string | undefined)[] = [];
    const { transport } = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(transport.executeAtomic(LIST)).rejects.toMatchObject({ code: 'internal', retryable: false });
    expect(paths).toEqual([expect.stringContaining('/ords/memory/')]);
  });

  it('is unavailable when the answer breaks off', async () => {
    const { transport, waited } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"items":', () => response.destroy());
    });
    await expect(transport.query(QUERY)).rejects.toMatchObject({ code: 'unavailable' });
    expect(waited).toEqual([]);
  });

  it('lets go of the connection when the caller aborts', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const { transport } = await serve((request) => {
      request.socket.on('close', () => closed.resolve());
      controller.abort('stop');
    });
    await expect(transport.executeAtomic(LIST, { signal: controller.signal })).rejects.toBe('stop');
    await closed.promise;
  });
});
