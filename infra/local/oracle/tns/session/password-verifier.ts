import { createCipheriv, createDecipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
const SALT_BYTES = 16;
const VERIFIER_ROUNDS = 4_096;
const KEY_ROUNDS = 3;
/** Salted and stretched SHA-512: the verifier of Oracle Database 12c and later. */
const VERIFIER_TYPE = 0x4815;
const SERVER_PROOF = 'SERVER_TO_CLIENT';

/** What the database keeps of a password. It takes some milliseconds to make. */
export interface PasswordVerifier {
  readonly password: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export function createVerifier(password: string): PasswordVerifier {
  const salt = randomBytes(SALT_BYTES);
  const stretchSalt = Buffer.concat([salt, Buffer.from('AUTH_PBKDF2_SPEEDY_KEY')]);
  const stretched = pbkdf2Sync(password, stretchSalt, VERIFIER_ROUNDS, 64, 'sha512');
  const hash = createHash('sha512').update(stretched).update(salt).digest().subarray(0, KEY_BYTES);
  return { password, salt, hash };
}

/** The server's side of one login (O5LOGON with the 12c verifier). */
export class LoginChallenge {
  readonly #verifier: PasswordVerifier;
  readonly #serverKey = randomBytes(KEY_BYTES);
  readonly #keySalt = randomBytes(SALT_BYTES);

  constructor(verifier: PasswordVerifier) {
    this.#verifier = verifier;
  }

  /** What the first call answers. */
  values() {
    const { salt, hash } = this.#verifier;
    return {
      AUTH_SESSKEY: { text: hex(encrypt(hash, this.#serverKey)) },
      AUTH_VFR_DATA: { text: hex(salt), flag: VERIFIER_TYPE },
      AUTH_PBKDF2_CSK_SALT: { text: hex(this.#keySalt) },
      AUTH_PBKDF2_VGEN_COUNT: { text: String(VERIFIER_ROUNDS) },
      AUTH_PBKDF2_SDER_COUNT: { text: String(KEY_ROUNDS) },
    };
  }

  /** The proof that the server knows the password too; undefined when the client does not. */
  verify(sessionKey: string, password: string): string | undefined {
    const key = this.#sessionKey(Buffer.from(sessionKey, 'hex'));
    const given = Buffer.from(password, 'hex');
    if (key === undefined || given.length < 2 * BLOCK_BYTES || given.length % BLOCK_BYTES !== 0) {
      return undefined;
    }
    const plain = decrypt(key, given);
    const padding = plain.at(-1) ?? 0;
    const text = plain.subarray(BLOCK_BYTES, plain.length - padding);
    if (!text.equals(Buffer.from(this.#verifier.password))) {
      return undefined;
    }
    return hex(encrypt(key, Buffer.concat([randomBytes(BLOCK_BYTES), Buffer.from(SERVER_PROOF)])));
  }

  #sessionKey(encrypted: Buffer): Buffer | undefined {
    if (encrypted.length !== KEY_BYTES) {
      return undefined;
    }
    const both = Buffer.concat([decrypt(this.#verifier.hash, encrypted), this.#serverKey]);
    return pbkdf2Sync(hex(both), this.#keySalt, KEY_ROUNDS, KEY_BYTES, 'sha512');
  }
}

function encrypt(key: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(BLOCK_BYTES)).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function decrypt(key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(BLOCK_BYTES)).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}
