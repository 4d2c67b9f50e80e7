import { DataReader } from '../wire/data-reader.ts';
import { DataWriter } from '../wire/data-writer.ts';
import { MESSAGE } from './message-type.ts';

const PROTOCOL_VERSION = 6;
const BANNER = 'x86_64/Linux 2.4.xx\0';
const UTF8 = 873;
const UTF16_HIGH = 0x07;
const UTF16_LOW = 0xd0;
const COMPILE_CAPABILITIES = 53;
const RUNTIME_CAPABILITIES = 7;
/** The newest layout of messages that the driver and 23ai agree on (23.4). */
const FIELD_VERSION = 24;
/** The client sends its offset from UTC, and gets the database's, as INTERVAL DAY TO SECOND. */
const TIME_ZONE_BYTES = 11;
const OFFSET_BIAS = 60;

const COMPILE = { fieldVersion: 7, fastFetch: 15 } as const;
const RUNTIME = { compatibility: 0, timeZone: 1, callInterface: 6 } as const;

/** Tells the character sets and what this server can do: the layout of 23.4, VARCHAR2 of 4,000 bytes. */
export function writeProtocol(writer: DataWriter): void {
  const compile = Buffer.alloc(COMPILE_CAPABILITIES);
  compile[COMPILE.fieldVersion] = FIELD_VERSION;
  compile[COMPILE.fastFetch] = 1;
  const runtime = Buffer.alloc(RUNTIME_CAPABILITIES);
  runtime[RUNTIME.compatibility] = 2;
  runtime[RUNTIME.timeZone] = 1;
  runtime[RUNTIME.callInterface] = 1;
  writer.uint8(MESSAGE.protocol).uint8(PROTOCOL_VERSION).uint8(0);
  writer.bytes(Buffer.from(BANNER, 'ascii')).uint16LittleEndian(UTF8).uint8(1).uint16LittleEndian(0);
  const nationalCharacters = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, UTF16_HIGH, UTF16_LOW]);
  writer.uint16(nationalCharacters.length).bytes(nationalCharacters);
  writer.value(compile).value(runtime);
}

/** What a client's list of data types says about the client. */
export interface ClientTypes {
  /** It knows that the offsets of client and database are exchanged; drivers before 26.0 do not. */
  readonly exchangesTimeZone: boolean;
}

/** Answers the client's list of data types: the database is in UTC, and every type is as the protocol has it. */
export function writeDataTypes(writer: DataWriter, { exchangesTimeZone }: ClientTypes): void {
  writer.uint8(MESSAGE.dataTypes);
  if (exchangesTimeZone) {
    const timeZone = Buffer.alloc(TIME_ZONE_BYTES);
    timeZone.set([0x80, 0, 0, 0, OFFSET_BIAS, OFFSET_BIAS, OFFSET_BIAS, 0x80]);
    writer.bytes(timeZone);
  }
  writer.uint16(0);
}

/** Skips a protocol message after its type. */
function skipProtocol(reader: DataReader): void {
  reader.bytes(2);
  while (reader.uint8() !== 0) {
    // The name of the driver ends with a zero byte.
  }
}

/** Reads a list of data types after its type; the types themselves are the same for every client. */
function readDataTypes(reader: DataReader): ClientTypes {
  reader.bytes(5);
  reader.value();
  const runtime = reader.value();
  const exchangesTimeZone = runtime?.[RUNTIME.timeZone] === 1;
  if (exchangesTimeZone) {
    reader.bytes(TIME_ZONE_BYTES);
  }
  for (let type = reader.uint16(); type !== 0; type = reader.uint16()) {
    reader.bytes(6);
  }
  return { exchangesTimeZone };
}

/** Reads what stands before the first call in a message of fast authentication, after its type. */
export function readFastAuthentication(reader: DataReader): ClientTypes {
  reader.bytes(4);
  skipProtocol(reader);
  reader.bytes(7);
  return readDataTypes(reader);
}

/** A message that says nothing but what the handshake wants, for the two separate messages of the older handshake. */
export function handshakeAnswer(message: Buffer): Buffer | undefined {
  const writer = new DataWriter();
  const reader = new DataReader(message.subarray(1));
  switch (message[0]) {
    case MESSAGE.protocol:
      writeProtocol(writer);
      return writer.finish();
    case MESSAGE.dataTypes:
      writeDataTypes(writer, readDataTypes(reader));
      return writer.finish();
    default:
      return undefined;
  }
}
