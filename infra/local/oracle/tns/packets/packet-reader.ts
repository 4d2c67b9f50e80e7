import { MalformedMessageError } from '../wire/malformed-message-error.ts';
import { HEADER_BYTES, PACKET, type Packet } from './packet.ts';

const MAXIMUM_SMALL_PACKET = 65_535;
const MAXIMUM_LARGE_PACKET = 2_097_152;
const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(PACKET));
const EMPTY = Buffer.alloc(0);

/** Cuts what arrives into packets. Their length has 16 bits until the connection is accepted, and 32 afterwards. */
export class PacketReader {
  #rest: Buffer = EMPTY;
  hasLargePackets = false;

  /** The packets that are complete now. Throws `MalformedMessageError` for a header that no packet has. */
  *read(chunk: Buffer): Generator<Packet> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= HEADER_BYTES) {
      const length = this.#length();
      if (length > this.#rest.length) {
        return;
      }
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: bytes.readUInt8(4), bytes };
    }
  }

  #length(): number {
    const length = this.hasLargePackets ? this.#rest.readUInt32BE() : this.#rest.readUInt16BE();
    const maximum = this.hasLargePackets ? MAXIMUM_LARGE_PACKET : MAXIMUM_SMALL_PACKET;
    const type = this.#rest.readUInt8(4);
    if (length < HEADER_BYTES || length > maximum || !KNOWN_TYPES.has(type)) {
      throw new MalformedMessageError(`a packet of type ${type} with ${length} bytes`);
    }
    return length;
  }
}
