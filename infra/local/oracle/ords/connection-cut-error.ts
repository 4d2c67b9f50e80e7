/** The connection ends without an answer: `fetch` rejects, and a served socket is destroyed. */
export class ConnectionCutError extends Error {
  override readonly name = 'ConnectionCutError';
}
