import { OracleError } from '../../sql/oracle-error.ts';
import { type Token, tokenize } from '../../sql/tokenizer.ts';
import { SCHEMA_NAME } from '../../translate/names.ts';

const UTC = /^(?:UTC|GMT|Etc\/UTC|[+-]0{1,2}:0{1,2})$/i;
/** Values that the emulator has; it converts no text by a session's formats, so any format will do. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  NLS_DATE_FORMAT: /./,
  NLS_TIMESTAMP_FORMAT: /./,
  NLS_TIMESTAMP_TZ_FORMAT: /./,
  NLS_DATE_LANGUAGE: /^AMERICAN$/i,
  NLS_LANGUAGE: /^AMERICAN$/i,
  NLS_TERRITORY: /^AMERICA$/i,
  NLS_NUMERIC_CHARACTERS: /^\.,$/,
  NLS_LENGTH_SEMANTICS: /^BYTE$/i,
  NLS_SORT: /^BINARY$/i,
  NLS_COMP: /^BINARY$/i,
};

/** What ALTER SESSION has set. */
export class SessionSettings {
  readonly #schemas: readonly string[];
  #timeZone = 'UTC';

  /** @param username who logged in; as everyone's, the schema is that of the emulator */
  constructor(username: string) {
    this.#schemas = [SCHEMA_NAME, username.toUpperCase()];
  }

  /**
   * Runs `ALTER SESSION SET name = value …`. ORA-02248: no such parameter; ORA-03001: a value that the emulator does
   * not have; ORA-01435: another schema.
   */
  alter(text: string): void {
    const tokens = tokenize(text).filter((token) => token.kind !== 'end' && token.value !== ';');
    if (tokens[2]?.value !== 'SET' || tokens.length < 6 || tokens.length % 3 !== 0) {
      throw new OracleError(3001, 'unimplemented feature: this form of ALTER SESSION');
    }
    for (let index = 3; index < tokens.length; index += 3) {
      const [name, operator, value] = tokens.slice(index, index + 3);
      if (name === undefined || operator?.value !== '=' || value === undefined) {
        throw new OracleError(927, 'missing equal sign', { offset: operator?.offset });
      }
      this.#set(name, value);
    }
  }

  /** ORA-01435: another schema than the emulator's only one. */
  setSchema(schema: string): void {
    if (!this.#schemas.includes(schema.toUpperCase())) {
      throw new OracleError(1435, 'user does not exist');
    }
  }

  /** ORA-03001 while the session's time zone is not UTC: the emulator has no other. */
  checkTimeZone(): void {
    if (!UTC.test(this.#timeZone)) {
      throw new OracleError(
        3001,
        `unimplemented feature: the session time zone ${this.#timeZone}; set the environment variable ORA_SDTZ to UTC, ` +
          "or run ALTER SESSION SET TIME_ZONE = 'UTC'",
      );
    }
  }

  #set(name: Token, value: Token): void {
    if (name.value === 'TIME_ZONE') {
      this.#timeZone = value.value;
    } else if (name.value === 'CURRENT_SCHEMA') {
      this.setSchema(value.value);
    } else {
      const allowed = ALLOWED[name.value];
      if (allowed === undefined) {
        throw new OracleError(2248, 'invalid option for ALTER SESSION', { offset: name.offset });
      }
      if (!allowed.test(value.value)) {
        throw new OracleError(3001, `unimplemented feature: ${name.value} = ${value.text}`);
      }
    }
  }
}

const ALTER_SESSION = /^\s*ALTER\s+SESSION\b/i;

export function isAlterSession(text: string): boolean {
  return ALTER_SESSION.test(text);
}
