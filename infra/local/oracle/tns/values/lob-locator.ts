/** Bytes of every locator of this server, also those of a driver that has none yet. */
export const LOCATOR_BYTES = 40;

const INNER_LENGTH = 38;
const VERSION = 4;
const OFFSET = { version: 2, flags: 4, id: 12 } as const;
const FLAG = {
  /** First byte of flags. */
  binary: 0x01,
  initialized: 0x08,
  /** Third byte: characters travel as UTF-16, as Oracle does it in a database of UTF-8. */
  variableLength: 0x80,
  temporary: 0x01,
} as const;

/** A locator that tells the driver what kind of LOB it has. */
export function lobLocator(id: number, isBinary: boolean, isTemporary: boolean): Buffer {
  const locator = Buffer.alloc(LOCATOR_BYTES);
  locator.writeUInt16BE(INNER_LENGTH, 0);
  locator.writeUInt16BE(VERSION, OFFSET.version);
  const characters = isBinary ? 0 : FLAG.variableLength;
  const flags = [isBinary ? FLAG.binary : 0, FLAG.initialized, characters, isTemporary ? FLAG.temporary : 0];
  locator.set(flags, OFFSET.flags);
  locator.writeUInt32BE(id, OFFSET.id);
  return locator;
}

export function lobId(locator: Buffer): number {
  return locator.length === LOCATOR_BYTES ? locator.readUInt32BE(OFFSET.id) : 0;
}
