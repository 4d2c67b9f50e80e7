import { OracleError } from '../../sql/oracle-error.ts';

/** ORA-03001: the emulator sends JSON as text only. */
export function encodeJson(_text: string): Buffer {
  throw new OracleError(3001, 'unimplemented feature: the emulator sends JSON as text only');
}

/** ORA-03001: the emulator takes JSON as text only. */
export function decodeJson(_image: Buffer): string {
  throw new OracleError(3001, 'unimplemented feature: the emulator takes JSON as text only');
}
