import { MalformedMessageError } from '../wire/malformed-message-error.ts';

const MAXIMUM_BYTES = 256_000_000;

/** Collects the data packets of a message. */
export class MessageBuffer {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** The message, when the piece is its last one. Throws `MalformedMessageError` over 256 MB. */
  add(piece: Buffer, isLast: boolean): Buffer | undefined {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > MAXIMUM_BYTES) {
      throw new MalformedMessageError('a message over 256 MB');
    }
    if (!isLast) {
      return undefined;
    }
    const message = Buffer.concat(this.#pieces);
    this.clear();
    return message;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}
