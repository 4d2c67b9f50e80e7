import { readFileSync } from 'node:fs';
import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { FixedStatement } from '../../lib/sql/fixed-statement.ts';
import { clobLiteral, textLiteral } from './sql-literal.ts';

export interface ModuleScriptOptions {
  readonly names: SchemaNames;
  readonly statements: readonly FixedStatement[];
  /** Account that ORDS runs the module as; it gets EXECUTE on the package. */
  readonly runtimeUser: string;
  /** Whether the database limits rows (`infra/sql/admin/row_isolation.sql`): the package says whose a call may touch. */
  readonly hasRowIsolation: boolean;
}

const HEAD = `-- Installed statements of the memory store, for ORDS_MODE=module. Run it with SQLcl as the owner of the tables, before
-- processes of this program start. What older programs run stays installed. Can be run again.
SET DEFINE OFF
SET FEEDBACK OFF
WHENEVER SQLERROR EXIT FAILURE ROLLBACK`;
const REMOVAL_HEAD = `-- Removes installed statements that this program does not run. Run it with SQLcl as the owner of the tables, when no
-- process of an older program is left. Can be run again.
SET DEFINE OFF
SET FEEDBACK OFF
WHENEVER SQLERROR EXIT FAILURE ROLLBACK`;

/** Oracle takes 1,000 expressions in a list (ORA-01795). */
const LIST_LENGTH = 500;

const RESTRICT_ROWS = `IF NOT p_request.has('rowAccess') THEN
      &row_access.('EVERY', NULL);
    ELSE
      &row_access.('USERS', p_request.get_object('rowAccess').to_clob());
    END IF;`;
const REFUSE_RESTRICTION = `IF p_request.has('rowAccess') THEN
      RAISE_APPLICATION_ERROR(c_not_isolated, 'rows are not isolated');
    END IF;`;
const RELEASE_ROWS = "&row_access.('NONE', NULL);";

/**
 * A script for SQLcl that installs the statements of a program beside those of others: table, filter function, package,
 * texts, and the right to call. Nothing of it travels with a request later.
 */
export function renderModuleScript(options: ModuleScriptOptions): string {
  const { names, statements, runtimeUser } = options;
  const sections = [
    HEAD,
    part(options, 'statement_table.sql'),
    part(options, 'metadata_matches.sql'),
    part(options, 'call_package.sql'),
    part(options, 'verify_call_package.sql'),
    ...statements.map((statement) => mergeStatement(names, statement)),
    part(options, 'verify_statements.sql'),
    'COMMIT;',
    `GRANT EXECUTE ON ${names.prefix}MEMORY_CALL TO ${checkedUser(runtimeUser)};`,
    `PROMPT ${statements.length} statements are installed`,
  ];
  return `${sections.join('\n\n')}\n`;
}

/** A script that removes every installed statement but those given. */
export function renderRemovalScript(names: SchemaNames, statements: readonly FixedStatement[]): string {
  const hashes = [...new Set(statements.map(({ hash }) => textLiteral(hash)))];
  const lists = Array.from({ length: Math.ceil(hashes.length / LIST_LENGTH) }, (_, index) =>
    hashes.slice(index * LIST_LENGTH, (index + 1) * LIST_LENGTH).join(',\n    '),
  );
  const condition = lists.map((list) => `s.statement_hash NOT IN (\n    ${list}\n  )`).join(' AND ');
  const removal = `DELETE FROM ${names.prefix}MEMORY_STATEMENT s\nWHERE ${condition};`;
  return `${[REMOVAL_HEAD, removal, 'COMMIT;'].join('\n\n')}\n`;
}

/** The function that metadata filters call, as SQL without the slash that SQLcl needs. */
export function renderFilterFunction(names: SchemaNames): string {
  return part({ names, hasRowIsolation: false }, 'metadata_matches.sql').replace(/\n\/$/, '');
}

/** A script of this folder without its comments, with its variables filled in. */
function part(options: Pick<ModuleScriptOptions, 'names' | 'hasRowIsolation'>, fileName: string): string {
  const { names, hasRowIsolation } = options;
  const variables: Readonly<Record<string, string>> = {
    prefix: names.prefix,
    filter_function: names.filterFunction,
    restrict_rows: hasRowIsolation ? RESTRICT_ROWS : REFUSE_RESTRICTION,
    release_rows: hasRowIsolation ? RELEASE_ROWS : 'NULL;',
    row_access: names.rowAccess,
  };
  const fill = (text: string): string =>
    text.replace(/&(\w+)\./g, (variable, name: string) => variables[name] ?? variable);
  const script = readFileSync(new URL(fileName, import.meta.url), 'utf8');
  return fill(fill(script.replace(/^ *--[^\n]*\n/gm, ''))).trim();
}

function mergeStatement({ prefix }: SchemaNames, statement: FixedStatement): string {
  const { name, hash, kind, sql, binds, outs } = statement;
  const [bindTypes, outNames] = [binds, outs].map((value) => clobLiteral(JSON.stringify(value)));
  return `MERGE INTO ${prefix}MEMORY_STATEMENT s
USING (SELECT ${textLiteral(name)} AS statement_name, ${textLiteral(hash)} AS statement_hash FROM dual) n
ON (s.statement_name = n.statement_name AND s.statement_hash = n.statement_hash)
WHEN MATCHED THEN UPDATE SET
    s.bind_types = ${bindTypes},
    s.out_names = ${outNames},
    s.installed_at = SYSTIMESTAMP
WHEN NOT MATCHED THEN INSERT
    (statement_name, statement_hash, statement_kind, statement_text, text_length, bind_types, out_names, installed_at)
  VALUES (n.statement_name, n.statement_hash, ${textLiteral(kind)},
    ${clobLiteral(sql)},
    ${sql.length},
    ${bindTypes},
    ${outNames},
    SYSTIMESTAMP);`;
}

/** An identifier without quotes. @throws AgentMemoryError `invalid_request` */
function checkedUser(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9_$#]{0,127}$/.test(name)) return name.toUpperCase();
  throw invalidRequest('runtime-user', 'must be a user name of letters, digits, _, $ and #, a letter first');
}
