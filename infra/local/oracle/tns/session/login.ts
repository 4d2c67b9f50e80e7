import { OracleError } from '../../sql/oracle-error.ts';
import {
  type AuthenticationRequest,
  type AuthenticationValue,
  readAuthentication,
  writeAuthentication,
} from '../messages/authentication-message.ts';
import { CALL } from '../messages/message-type.ts';
import type { DataReader } from '../wire/data-reader.ts';
import type { DataWriter } from '../wire/data-writer.ts';
import { LoginChallenge, type PasswordVerifier } from './password-verifier.ts';
import { SessionSettings } from './session-settings.ts';

/** Who may log in, and what the database is called. */
export interface TnsService {
  readonly serviceName: string;
  /** Compared without case, as an unquoted name. */
  readonly username: string;
  readonly verifier: PasswordVerifier;
}

/** 23.9.0.25.7, as the client computes it from its parts. */
const VERSION_NUMBER = (23 << 24) | (9 << 16) | (25 << 4) | 7;
const MAXIMUM_OPEN_CURSORS = '300';
const MAXIMUM_IDENTIFIER_BYTES = '128';

/** What a client may ask for at login and the emulator does not have. */
const UNSUPPORTED = ['AUTH_NEWPASSWORD', 'PROXY_CLIENT_NAME', 'AUTH_APPCTX_NSPACE', 'AUTH_ORA_DEBUG_JDWP'];
const ONLY_EDITION = 'ORA$BASE';

/** ORA-01031: an administrative privilege; ORA-38802: another edition; ORA-03001: proxies, contexts, new passwords. */
function checkSupported({ asksForPrivilege, values }: AuthenticationRequest): void {
  if (asksForPrivilege) {
    throw new OracleError(1031, 'insufficient privileges');
  }
  const edition = values.get('AUTH_ORA_EDITION') ?? ONLY_EDITION;
  if (edition.toUpperCase() !== ONLY_EDITION) {
    throw new OracleError(38802, 'edition does not exist');
  }
  const key = UNSUPPORTED.find((name) => values.has(name));
  if (key !== undefined) {
    throw new OracleError(3001, `unimplemented feature: ${key} at login`);
  }
}

/** One login: the challenge, then the password. */
export class Login {
  readonly #service: TnsService;
  readonly #sessionId: number;
  readonly #challenge: LoginChallenge;

  constructor(service: TnsService, sessionId: number) {
    this.#service = service;
    this.#sessionId = sessionId;
    this.#challenge = new LoginChallenge(service.verifier);
  }

  /**
   * Runs one of the two calls; the second one gives the settings of the session. ORA-01017: another user or password,
   * told apart from nothing; ORA-01012: any other call before the login.
   */
  call(code: number, reader: DataReader, writer: DataWriter): SessionSettings | undefined {
    switch (code) {
      case CALL.challenge:
        readAuthentication(reader);
        writeAuthentication(writer, this.#challenge.values());
        return undefined;
      case CALL.authenticate:
        return this.#authenticate(readAuthentication(reader), writer);
      default:
        throw new OracleError(1012, 'not logged on');
    }
  }

  #authenticate(request: AuthenticationRequest, writer: DataWriter): SessionSettings {
    const { username } = this.#service;
    const value = (key: string) => request.values.get(key) ?? '';
    const proof = this.#challenge.verify(value('AUTH_SESSKEY'), value('AUTH_PASSWORD'));
    if (proof === undefined || request.username.toUpperCase() !== username.toUpperCase()) {
      throw new OracleError(1017, 'invalid credential or not authorized; logon denied');
    }
    checkSupported(request);
    const settings = new SessionSettings(username);
    const alteration = value('AUTH_ALTER_SESSION').replaceAll('\0', '');
    if (alteration !== '') {
      settings.alter(alteration);
    }
    writeAuthentication(writer, this.#identity(proof));
    return settings;
  }

  #identity(proof: string): Readonly<Record<string, AuthenticationValue>> {
    const { serviceName } = this.#service;
    return {
      AUTH_SVR_RESPONSE: { text: proof },
      AUTH_VERSION_NO: { text: String(VERSION_NUMBER) },
      AUTH_DBNAME: { text: serviceName },
      AUTH_SC_SERVICE_NAME: { text: serviceName },
      AUTH_SC_DBUNIQUE_NAME: { text: serviceName },
      AUTH_SC_REAL_DBUNIQUE_NAME: { text: serviceName },
      AUTH_INSTANCENAME: { text: serviceName },
      AUTH_SESSION_ID: { text: String(this.#sessionId) },
      AUTH_SERIAL_NUM: { text: '1' },
      AUTH_MAX_OPEN_CURSORS: { text: MAXIMUM_OPEN_CURSORS },
      AUTH_MAX_IDEN_LENGTH: { text: MAXIMUM_IDENTIFIER_BYTES },
    };
  }
}
