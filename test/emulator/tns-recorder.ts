import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const DATA_PACKET = 6;
const DATA_OFFSET = 10;
const CALL = 3;

/** Messages that clients send through a proxy. */
export interface TnsRecorder {
  /** Reaches the same service as before, through the proxy. */
  readonly connectString: string;
  /** The calls that were sent, each from its first byte, after the login. */
  calls(): readonly Buffer[];
  close(): Promise<void>;
}

/** Stands between a driver and the listener. Every message must fit into one packet. */
export async function recordTns(connectString: string): Promise<TnsRecorder> {
  const { port, service } = /:(?<port>\d+)\/(?<service>\w+)$/.exec(connectString)?.groups ?? {};
  const sent: Buffer[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(port), '127.0.0.1');
    client.on('data', (chunk: Buffer) => sent.push(Buffer.from(chunk)));
    client.pipe(server).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    connectString: `127.0.0.1:${(proxy.address() as AddressInfo).port}/${service}`,
    calls: () => sent.filter(isCall).map((packet) => packet.subarray(DATA_OFFSET)),
    async close() {
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function isCall(packet: Buffer): boolean {
  return packet[4] === DATA_PACKET && packet[DATA_OFFSET] === CALL && packet.readUInt32BE() === packet.length;
}
