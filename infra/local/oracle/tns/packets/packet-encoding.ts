import { DATA_FLAG, DATA_OFFSET, HEADER_BYTES, MARKER_OFFSET, PACKET } from './packet.ts';

const ACCEPT_BYTES = 45;
const MARKER_BYTES = 11;
const REFUSE_DATA_OFFSET = 12;
/** Network authentication and encryption are switched off for the connection. */
const NO_NETWORK_SERVICES = 0x0c;
const MAXIMUM_TRANSPORT_UNIT = 2_097_152;
const ONE_DATA_BYTE = 1;

/** What the listener grants a client. */
export interface AcceptedConnection {
  readonly version: number;
  /** Bytes of the largest data packet. */
  readonly dataUnit: number;
  /** Second set of accept flags: fast authentication, end of response. */
  readonly flags: number;
}

export function acceptPacket({ version, dataUnit, flags }: AcceptedConnection): Buffer {
  const packet = smallPacket(PACKET.accept, ACCEPT_BYTES);
  packet.writeUInt16BE(version, 8);
  packet.writeUInt16BE(Math.min(dataUnit, 0xffff), 12);
  packet.writeUInt16BE(0xffff, 14);
  packet.writeUInt16BE(1, 16);
  packet.writeUInt16BE(ACCEPT_BYTES, 20);
  packet.writeUInt8(NO_NETWORK_SERVICES, 22);
  packet.writeUInt8(NO_NETWORK_SERVICES, 23);
  packet.writeUInt32BE(dataUnit, 32);
  packet.writeUInt32BE(MAXIMUM_TRANSPORT_UNIT, 36);
  packet.writeUInt32BE(flags, 41);
  return packet;
}

/** The listener does not connect the client; `number` is an ORA or TNS number such as 12514. */
export function refusePacket(number: number): Buffer {
  const stack = `(ERROR_STACK=(ERROR=(CODE=${number})(EMFI=4)))`;
  const text = Buffer.from(`(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR=${number})${stack})`, 'ascii');
  const packet = smallPacket(PACKET.refuse, REFUSE_DATA_OFFSET + text.length);
  packet.writeUInt16BE(text.length, 10);
  text.copy(packet, REFUSE_DATA_OFFSET);
  return packet;
}

/** A marker packet of an accepted connection. */
export function markerPacket(marker: number): Buffer {
  const packet = Buffer.alloc(MARKER_BYTES);
  writeLargeHeader(packet, PACKET.marker, MARKER_BYTES);
  packet.writeUInt8(ONE_DATA_BYTE, HEADER_BYTES);
  packet.writeUInt8(marker, MARKER_OFFSET);
  return packet;
}

/** A message as data packets of at most `dataUnit` bytes; the last one is marked as the end of the response. */
export function dataPackets(message: Buffer, dataUnit: number): Buffer {
  const room = dataUnit - DATA_OFFSET;
  const count = Math.max(1, Math.ceil(message.length / room));
  const packets = Buffer.allocUnsafe(message.length + count * DATA_OFFSET);
  for (let index = 0; index < count; index += 1) {
    const piece = message.subarray(index * room, (index + 1) * room);
    const packet = packets.subarray(index * dataUnit);
    writeLargeHeader(packet, PACKET.data, DATA_OFFSET + piece.length);
    packet.writeUInt16BE(index === count - 1 ? DATA_FLAG.endOfResponse : 0, HEADER_BYTES);
    piece.copy(packet, DATA_OFFSET);
  }
  return packets;
}

function smallPacket(type: number, length: number): Buffer {
  const packet = Buffer.alloc(length);
  packet.writeUInt16BE(length, 0);
  packet.writeUInt8(type, 4);
  return packet;
}

function writeLargeHeader(packet: Buffer, type: number, length: number): void {
  packet.writeUInt32BE(length, 0);
  packet.writeUInt8(type, 4);
  packet.writeUInt8(0, 5);
  packet.writeUInt16BE(0, 6);
}
