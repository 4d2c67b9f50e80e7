import type { RecordedStatement } from '../ords/statement-driver/recording-transport.ts';
import type { CatalogSection } from './statement-catalog.ts';
import { STATEMENT_USES } from './statement-uses.ts';

/** Where the page is, from the root of the project. */
export const CATALOG_PAGE = 'docs/sql-statements.sql';

const HEAD = `-- Every SQL text that this program sends, for review. Made by npm run sql; a test keeps it up to date.
--
-- A statement stands here as it is sent: one query, or one block that is committed or undone as a whole. Each is one
-- request to the database; docs/architecture.md says how many a use case takes. Names are those of a store without a
-- prefix, vectors have 1536 numbers. Values are always bound: text = VARCHAR2, clob = CLOB, number = NUMBER.
--
-- Texts of one name are made of the same parts. Those shown hold every part of all, some with another number of words,
-- record types or parts of a metadata filter.`;

/** The page of all statements, as SQL with comments. */
export function renderStatementCatalog(sections: readonly CatalogSection[]): string {
  return `${[HEAD, ...sections.map(renderSection)].join('\n\n')}\n`;
}

function renderSection({ title, shown, total, statements }: CatalogSection): string {
  const line = '-'.repeat(118);
  const head = `${line}\n-- ${title}\n-- ${total} texts; here: ${shown}\n${line}`;
  return [head, ...statements.map(renderStatement)].join('\n\n');
}

function renderStatement({ name, kind, sql, binds, shape, outs }: RecordedStatement): string {
  const types = Object.entries(binds).map(([bind, { type }]) => `${bind} ${type}`);
  const columns = Object.entries(shape).map(([column, type]) => `${column} ${type}`);
  const notes = [
    ...noteLines('binds', types),
    ...noteLines('columns', columns),
    ...noteLines('counts', outs),
  ];
  const end = kind === 'query' || !/;$/.test(sql) ? ';' : '\n/';
  return [`-- ${name}: ${STATEMENT_USES[name] ?? ''}`, ...notes, `${sql}${end}`].join('\n');
}

/** Comment lines of at most 118 characters. */
function noteLines(title: string, items: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = `--   ${title}:`;
  for (const [index, item] of items.entries()) {
    const piece = ` ${item}${index < items.length - 1 ? ',' : ''}`;
    if (line.length + piece.length > 118) {
      lines.push(line);
      line = '--    ';
    }
    line += piece;
  }
  return items.length === 0 ? [] : [...lines, line];
}
