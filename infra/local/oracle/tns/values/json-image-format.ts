/** Numbers of OSON, the binary form of JSON that Oracle's clients and servers exchange. */
export const MAGIC = Buffer.from([0xff, 0x4a, 0x5a]);

/** Field names of up to 255 bytes; of up to 65,535 bytes in a second segment. */
export const VERSION = { shortNames: 1, longNames: 3 } as const;

export const FLAG = {
  relativeOffsets: 0x01,
  inlineLeaves: 0x02,
  nameCount32: 0x08,
  scalar: 0x10,
  hash8: 0x100,
  nameCount16: 0x400,
  names32: 0x800,
  tree32: 0x1000,
  tinyNodes: 0x2000,
} as const;

export const NODE = {
  null: 0x30,
  true: 0x31,
  false: 0x32,
  text8: 0x33,
  number: 0x34,
  double: 0x36,
  text16: 0x37,
  text32: 0x38,
  float: 0x7f,
  object: 0x84,
  array: 0xc0,
} as const;

/** Bits of the node type of an object or array. */
export const CONTAINER = {
  is: 0x80,
  array: 0x40,
  offsets32: 0x20,
  /** How the count of children is written, or that another object has the names. */
  count: 0x18,
  count16: 0x08,
  count32: 0x10,
  shared: 0x18,
} as const;
