import { readFileSync } from 'node:fs';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import type { FixedStatement } from '../../lib/sql/fixed-statement.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/**
 * A transport to a database that runs only installed texts: any other is refused, and DDL too. It stands for a database in
 * which the list is installed, so that a text that the list lacks is found by whatever is run over it.
 */
export function withInstalledStatements(
  transport: SqlTransport,
  installed: readonly FixedStatement[],
): SqlTransport {
  const known = new Set(installed.map(({ name, sql }) => `${name}\n${sql}`));
  const require = (name: string, sql: string): void => {
    if (!isOfTest(name) && !known.has(`${name}\n${sql}`)) throw new Error(`${name} is not installed: ${sql}`);
  };
  return {
    ...transport,
    capabilities: { ...transport.capabilities, fixedStatements: true },
    async query(query, options) {
      require(query.name, query.sql.trim());
      return transport.query(query, options);
    },
    async executeAtomic(list, options) {
      require(list.name, compileBlock(list).sql);
      return transport.executeAtomic(list, options);
    },
    executeDdl: () => Promise.reject(new Error('DDL is not installed')),
  };
}

/** Statements by which a test looks behind the store. */
function isOfTest(name: string): boolean {
  return name.startsWith('stage.');
}

/** Creates the function that metadata filters call. */
export async function createFilterFunction(transport: SqlTransport, names: SchemaNames): Promise<void> {
  const script = readFileSync(new URL('../../infra/ords/metadata_matches.sql', import.meta.url), 'utf8');
  const lines = script.replaceAll('&prefix.', names.prefix).split('\n');
  const code = lines.filter((line) => line.trim() !== '' && !/^\s*--|^\/$/.test(line));
  await transport.executeDdl(code.join('\n'));
}
