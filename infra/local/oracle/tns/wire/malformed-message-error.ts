/** Bytes from a client that are no message of the protocol; the connection ends without an answer. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}
