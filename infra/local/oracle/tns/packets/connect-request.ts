import { MalformedMessageError } from '../wire/malformed-message-error.ts';

const CONNECT_BYTES = 62;
const FIRST_VERSION_WITH_LARGE_UNITS = 315;
/** Longer connect data comes in a data packet of its own. */
const MAXIMUM_INLINE_DATA = 230;
const MINIMUM_UNIT = 512;
const MAXIMUM_UNIT = 2_097_152;

/** What a client asks of the listener. */
export interface ConnectRequest {
  readonly version: number;
  /** Bytes of the largest data packet that the client takes. */
  readonly dataUnit: number;
  /** The connect descriptor; undefined when it comes in the next packet. */
  readonly descriptor: string | undefined;
}

/** Throws `MalformedMessageError` for a packet that is too short. */
export function readConnectRequest(packet: Buffer): ConnectRequest {
  if (packet.length < CONNECT_BYTES) {
    throw new MalformedMessageError('a short connect packet');
  }
  const version = packet.readUInt16BE(8);
  const length = packet.readUInt16BE(24);
  const offset = packet.readUInt16BE(26);
  const unit = version >= FIRST_VERSION_WITH_LARGE_UNITS ? packet.readUInt32BE(58) : packet.readUInt16BE(14);
  return {
    version,
    dataUnit: Math.min(Math.max(unit, MINIMUM_UNIT), MAXIMUM_UNIT),
    descriptor: length > MAXIMUM_INLINE_DATA ? undefined : packet.toString('ascii', offset, offset + length),
  };
}

/** The value of a parameter of a connect descriptor, such as SERVICE_NAME. */
export function descriptorValue(descriptor: string, name: string): string | undefined {
  return new RegExp(`\\(\\s*${name}\\s*=\\s*([^()]*?)\\s*\\)`, 'i').exec(descriptor)?.[1];
}
