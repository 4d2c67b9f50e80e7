import type { FixedStatement } from '../../../../lib/sql/fixed-statement.ts';

/** The table of statements of a module, by name and hash. Several texts of one name may be installed at once. */
export class InstalledStatements {
  readonly #byIdentity = new Map<string, FixedStatement>();

  install(statements: readonly FixedStatement[]): void {
    for (const statement of statements) {
      this.#byIdentity.set(identity(statement.name, statement.hash), statement);
    }
  }

  find(name: string, hash: string): FixedStatement | undefined {
    return this.#byIdentity.get(identity(name, hash));
  }
}

const identity = (name: string, hash: string) => `${name}/${hash}`;
