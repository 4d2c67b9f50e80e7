import { scanSql } from './sql-scanner.ts';
import { statementFault } from './statement-fault.ts';

/**
 * What ORDS may take as a command of its own: its engine reads statement text like SQLcl (SQLcl User's Guide,
 * "Substitution Variables" and "SQL Buffer"), also in the JSON form of a request.
 */
const LINE_RULES: readonly (readonly [pattern: RegExp, detail: string])[] = [
  [/&/, 'has an & (substitution variable)'],
  [/^[ \t]*$/m, 'has a blank line'],
  [/^[ \t]*[@!/#.]/m, 'has a line that starts with a command character'],
  [/-[ \t]*$/m, 'has a line that ends with - (continuation)'],
];

/**
 * Checks a text before it is sent: no substitution variables, comments, blank lines or command lines. The same rule
 * for every transport, so that a statement that passes on one passes on all.
 *
 * @throws AgentMemoryError `internal`
 */
export function checkStatementText(statement: string, sql: string): void {
  for (const [pattern, detail] of LINE_RULES) {
    if (pattern.test(sql)) throw statementFault(statement, `the text ${detail}`);
  }
  if (scanSql(sql).some((piece) => piece.kind === 'comment')) {
    throw statementFault(statement, 'the text has a comment');
  }
}
