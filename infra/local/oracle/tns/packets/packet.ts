/** Packet types of Transparent Network Substrate. */
export const PACKET = { connect: 1, accept: 2, refuse: 4, data: 6, marker: 12 } as const;

/** What a marker packet says. */
export const MARKER = { break: 1, reset: 2, interrupt: 3 } as const;

/** Flags of a data packet. */
export const DATA_FLAG = { endOfFile: 0x40, endOfRequest: 0x800, endOfResponse: 0x2000 } as const;

export const HEADER_BYTES = 8;
/** Header and data flags of a data packet. */
export const DATA_OFFSET = 10;
/** The flags of a data packet; a packet without them ends the connection. */
export function dataFlags(packet: Buffer): number {
  return packet.length < DATA_OFFSET ? DATA_FLAG.endOfFile : packet.readUInt16BE(HEADER_BYTES);
}

/** Where a marker packet has its byte. */
export const MARKER_OFFSET = 10;

export interface Packet {
  /** One of `PACKET`. */
  readonly type: number;
  /** The whole packet with its header. */
  readonly bytes: Buffer;
}
