import type { FixedStatement } from '../../../../lib/sql/fixed-statement.ts';

/** The table of statements of a module, by name and hash. Several texts of one name may be installed at once. */
export class InstalledStatements {
  readonly #byIdentity = new Map<string, FixedStatement>();
  #rowAccessProcedure: string | undefined;

  /** What restricts a session before each call; undefined: the package was made without row isolation. */
  get rowAccessProcedure(): string | undefined {
    return this.#rowAccessProcedure;
  }

  install(statements: readonly FixedStatement[], rowAccessProcedure?: string): void {
    this.#rowAccessProcedure = rowAccessProcedure ?? this.#rowAccessProcedure;
    for (const statement of statements) {
      this.#byIdentity.set(identity(statement.name, statement.hash), statement);
    }
  }

  find(name: string, hash: string): FixedStatement | undefined {
    return this.#byIdentity.get(identity(name, hash));
  }
}

const identity = (name: string, hash: string) => `${name}/${hash}`;
