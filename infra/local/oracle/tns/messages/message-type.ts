/** Message types of Two-Task Common, the protocol inside of data packets. */
export const MESSAGE = {
  protocol: 1,
  dataTypes: 2,
  call: 3,
  error: 4,
  rowHeader: 6,
  rowData: 7,
  parameter: 8,
  status: 9,
  bindDirections: 11,
  lobData: 14,
  describe: 16,
  piggyback: 17,
  serverPiggyback: 23,
  oneWayCall: 26,
  endOfResponse: 29,
  fastAuthentication: 34,
} as const;

/** Functions that a client calls. */
export const CALL = {
  reexecute: 4,
  fetch: 5,
  logOff: 9,
  commit: 14,
  rollback: 15,
  reexecuteAndFetch: 78,
  execute: 94,
  lobOperation: 96,
  closeCursors: 105,
  authenticate: 115,
  challenge: 118,
  cancelCursors: 120,
  endToEnd: 135,
  ping: 147,
  setSchema: 152,
  releaseSession: 163,
} as const;
