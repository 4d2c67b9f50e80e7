import { OracleError } from '../../sql/oracle-error.ts';
import { lobId, lobLocator } from '../values/lob-locator.ts';

/** A LOB of a session: characters, which count in UTF-16 as in Oracle, or bytes. */
export interface SessionLob {
  value: string | Buffer;
  readonly isTemporary: boolean;
}

/** Characters or bytes of fetched LOBs that a session keeps; older ones are gone, and reading them is ORA-22922. */
const MAXIMUM_KEPT = 64_000_000;

/** The LOBs that a session's locators stand for: temporary ones until they are freed, and fetched ones. */
export class SessionLobs {
  readonly #lobs = new Map<number, SessionLob>();
  #lastId = 0;
  #kept = 0;

  /** A new LOB's locator. */
  add(value: string | Uint8Array, isTemporary: boolean): Buffer {
    const id = ++this.#lastId;
    const lob = { value: typeof value === 'string' ? value : Buffer.from(value), isTemporary };
    this.#lobs.set(id, lob);
    if (!isTemporary) {
      this.#keep(lob);
    }
    return lobLocator(id, typeof value !== 'string', isTemporary);
  }

  /** ORA-22922: a LOB that was freed or never was. */
  find(locator: Buffer): SessionLob {
    const lob = this.#lobs.get(lobId(locator));
    if (lob === undefined) {
      throw new OracleError(22922, 'nonexistent LOB value');
    }
    return lob;
  }

  free(locators: readonly Buffer[]): void {
    for (const locator of locators) {
      const lob = this.#lobs.get(lobId(locator));
      this.#lobs.delete(lobId(locator));
      this.#kept -= lob === undefined || lob.isTemporary ? 0 : lob.value.length;
    }
  }

  #keep(added: SessionLob): void {
    this.#kept += added.value.length;
    for (const [id, lob] of this.#lobs) {
      if (this.#kept <= MAXIMUM_KEPT || lob === added) {
        return;
      }
      if (!lob.isTemporary) {
        this.#lobs.delete(id);
        this.#kept -= lob.value.length;
      }
    }
  }
}
