import type { Socket } from 'node:net';
import { OracleError } from '../sql/oracle-error.ts';
import { type ConnectRequest, descriptorValue, readConnectRequest } from './packets/connect-request.ts';
import { MessageBuffer } from './packets/message-buffer.ts';
import {
  DATA_FLAG,
  DATA_OFFSET,
  dataFlags,
  MARKER,
  MARKER_OFFSET,
  PACKET,
  type Packet,
} from './packets/packet.ts';
import { acceptPacket, dataPackets, markerPacket, refusePacket } from './packets/packet-encoding.ts';
import { PacketReader } from './packets/packet-reader.ts';
import { ServerProcess, type ServerProcessOptions } from './session/server-process.ts';
import { MalformedMessageError } from './wire/malformed-message-error.ts';

/** Versions of the network protocol: the oldest with 32-bit lengths, that of 19c, and the first with an end of response. */
const VERSION = { minimum: 315, classic: 318, withEndOfResponse: 319 } as const;
/** Fast authentication, end of response, and what 23ai says beside them. */
const NEW_HANDSHAKE_FLAGS = 0x1a00_0000;

/** One connection: packets in and out, the handshake with the listener, interruptions. */
export class TnsConnection {
  readonly #socket: Socket;
  readonly #options: ServerProcessOptions;
  readonly #packets = new PacketReader();
  readonly #message = new MessageBuffer();
  readonly #process: ServerProcess;
  #request: ConnectRequest | undefined;
  #dataUnit = 0;
  #interruption = new AbortController();
  /** Between a break and the reset that follows it, what arrives is dropped. */
  #isBroken = false;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(socket: Socket, options: ServerProcessOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#process = new ServerProcess(options);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.close());
  }

  /** Ends the connection; resolves when its session is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#socket.destroy();
    this.#interrupt();
    await this.#last;
    // The engine may be closed meanwhile: what was open is gone then too.
    await this.#process.close().catch(() => undefined);
  }

  #read(chunk: Buffer): void {
    try {
      for (const packet of this.#packets.read(chunk)) {
        this.#receive(packet);
      }
    } catch {
      this.#socket.destroy();
    }
  }

  #receive({ type, bytes }: Packet): void {
    const isAccepted = this.#packets.hasLargePackets;
    if (isAccepted && type === PACKET.data) {
      this.#receiveData(bytes);
    } else if (isAccepted && type === PACKET.marker) {
      this.#receiveMarker(bytes[MARKER_OFFSET]);
    } else if (this.#request === undefined && type === PACKET.connect) {
      this.#request = readConnectRequest(bytes);
      this.#connect(this.#request, this.#request.descriptor);
    } else if (!isAccepted && this.#request !== undefined && type === PACKET.data) {
      this.#connect(this.#request, bytes.toString('ascii', DATA_OFFSET));
    } else {
      throw new MalformedMessageError(`a packet of type ${type}`);
    }
  }

  /** Accepts or refuses the client, once its descriptor is there. */
  #connect({ version, dataUnit }: ConnectRequest, descriptor: string | undefined): void {
    if (descriptor === undefined) {
      return;
    }
    const refusal = this.#options.faults.takeRefusal() ?? refusalOf(version, descriptor, this.#options);
    if (refusal !== undefined) {
      this.#socket.end(refusePacket(refusal));
      return;
    }
    this.#dataUnit = dataUnit;
    this.#socket.write(
      this.#options.endsResponses
        ? acceptPacket({ version: VERSION.withEndOfResponse, dataUnit, flags: NEW_HANDSHAKE_FLAGS })
        : acceptPacket({ version: VERSION.classic, dataUnit, flags: 0 }),
    );
    this.#packets.hasLargePackets = true;
  }

  #receiveData(packet: Buffer): void {
    if (this.#isBroken) {
      return;
    }
    const flags = dataFlags(packet);
    if ((flags & DATA_FLAG.endOfFile) !== 0) {
      this.#socket.end();
      return;
    }
    const message = this.#message.add(packet.subarray(DATA_OFFSET), (flags & DATA_FLAG.endOfRequest) !== 0);
    if (message !== undefined) {
      this.#interruption = new AbortController();
      const { signal } = this.#interruption;
      this.#last = this.#last.then(() => this.#answer(message, signal)).catch(() => this.#socket.destroy());
    }
  }

  /** An answer that the client does not wait for any more is dropped: ORA-01013 follows its reset. */
  async #answer(message: Buffer, interruption: AbortSignal): Promise<void> {
    const { bytes, closes } = await this.#process.answer(message, interruption);
    if (interruption.aborted) {
      this.#process.forgetAnswer();
    } else if (bytes !== undefined) {
      this.#send(bytes, closes === 'within' ? 0.5 : 1);
    }
    if (closes !== undefined) {
      this.#socket.end();
    }
  }

  #receiveMarker(marker: number | undefined): void {
    if (marker === MARKER.reset) {
      this.#isBroken = false;
      this.#last = this.#last.then(() => {
        this.#socket.write(markerPacket(MARKER.reset));
        this.#send(this.#process.interrupted(cancelled()));
      });
    } else if (!this.#isBroken) {
      this.#isBroken = true;
      this.#message.clear();
      this.#interrupt();
      this.#socket.write(markerPacket(MARKER.break));
    }
  }

  #interrupt(): void {
    this.#interruption.abort(cancelled());
    this.#process.cancel();
  }

  /** @param share how much of the packets is sent */
  #send(message: Buffer, share = 1): void {
    const packets = dataPackets(message, this.#dataUnit);
    if (!this.#socket.destroyed) {
      this.#socket.write(packets.subarray(0, Math.floor(packets.length * share)));
    }
  }
}

/** ORA-12618: an old version; ORA-12514: another service; ORA-12505: a SID, which a pluggable database has not. */
function refusalOf(
  version: number,
  descriptor: string,
  { service }: ServerProcessOptions,
): number | undefined {
  if (version < VERSION.minimum) {
    return 12618;
  }
  const name = descriptorValue(descriptor, 'SERVICE_NAME');
  if (name === undefined && descriptorValue(descriptor, 'SID') !== undefined) {
    return 12505;
  }
  return name?.toUpperCase() === service.serviceName.toUpperCase() ? undefined : 12514;
}

function cancelled(): OracleError {
  return new OracleError(1013, 'User requested cancel of current operation.');
}
