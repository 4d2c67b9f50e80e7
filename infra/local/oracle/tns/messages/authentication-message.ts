import type { DataReader } from '../wire/data-reader.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { MESSAGE } from './message-type.ts';

/** Bits of the login mode: SYSDBA, SYSOPER, SYSASM, SYSBACKUP, SYSDG, SYSKM and SYSRAC. */
const PRIVILEGES = 0x20 | 0x40 | 0x40_0000 | 0x100_0000 | 0x200_0000 | 0x400_0000 | 0x800_0000;

/** What a client sends to log in, in either of the two calls. */
export interface AuthenticationRequest {
  readonly username: string;
  /** SYSDBA, SYSOPER or another administrative privilege is asked for. */
  readonly asksForPrivilege: boolean;
  readonly values: ReadonlyMap<string, string>;
}

/** One value of an answer; `flag` tells the kind of verifier. */
export interface AuthenticationValue {
  readonly text: string;
  readonly flag?: number;
}

/** Reads a call of authentication after its header. */
export function readAuthentication(reader: DataReader): AuthenticationRequest {
  const hasUsername = reader.uint8() !== 0;
  reader.integer();
  const mode = reader.integer();
  reader.uint8();
  const count = reader.integer();
  reader.bytes(2);
  const username = hasUsername ? reader.text() : '';
  const values = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const key = reader.textWithCount().replaceAll('\0', '');
    values.set(key, reader.textWithCount());
    reader.integer();
  }
  return { username, values, asksForPrivilege: (mode & PRIVILEGES) !== 0 };
}

export function writeAuthentication(
  writer: DataWriter,
  values: Readonly<Record<string, AuthenticationValue>>,
): void {
  const entries = Object.entries(values);
  writer.uint8(MESSAGE.parameter).integer(entries.length);
  for (const [key, { text, flag = 0 }] of entries) {
    writer.textWithCount(key).textWithCount(text).integer(flag);
  }
}
