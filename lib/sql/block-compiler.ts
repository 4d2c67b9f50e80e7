import { type Bind, type Binds, number } from './bind.ts';
import { checkBinds } from './bind-rules.ts';
import { scanSql } from './sql-scanner.ts';
import type { AtomicList, DmlStatement, Expectation } from './statement.ts';
import { statementFault } from './statement-fault.ts';
import { checkStatementText } from './statement-text.ts';

/** A NUMBER out bind and the statement whose row count it carries. */
export interface BlockOut {
  /** Bind name, without the colon: `rows_1`. */
  readonly name: string;
  readonly statement: string;
}

/** An atomic list as one anonymous PL/SQL block. */
export interface CompiledBlock {
  readonly sql: string;
  readonly binds: Binds;
  readonly outs: readonly BlockOut[];
}

/** Numbers that the blocks raise, from the range that Oracle leaves to applications (−20999 to −20000). */
export const EXPECTATION_NUMBERS: Readonly<Record<Expectation['otherwise'], number>> = {
  not_found: 20404,
  conflict: 20409,
};

const LOCAL_TYPES: Readonly<Record<Bind['type'], string>> = {
  text: 'VARCHAR2(4000 CHAR)',
  clob: 'CLOB',
  number: 'NUMBER',
};
const DML = /^(?:INSERT|UPDATE|DELETE|MERGE)\b/i;

/**
 * Compiles an atomic list to one block. Oracle undoes a failed block as a whole (PL/SQL Language Reference, "Unhandled
 * Exceptions"), so it is atomic over every transport. Each bind is read once, into a local of its declared type: a
 * repeated placeholder would be another bind to some drivers. Only constants of the program are in the text, so the
 * same list has the same text whatever its values are.
 *
 * @throws AgentMemoryError `internal` naming the list when it breaks a rule of `AtomicList`
 */
export function compileBlock(list: AtomicList): CompiledBlock {
  if (list.statements.length === 0) throw statementFault(list.name, 'the list is empty');
  const used = new Set<string>();
  const outs = list.statements.map((statement, index) => ({
    name: `rows_${index + 1}`,
    statement: statement.name,
  }));
  refuseRepeatedNames(list);
  for (const name of ['now', ...outs.map((out) => out.name)]) {
    if (Object.hasOwn(list.binds, name)) throw statementFault(list.name, `bind name ${name} is reserved`);
  }
  const body = list.statements.flatMap((statement, index) => statementLines(list, statement, index, used));
  const declarations = used.delete('now') ? ['  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;'] : [];
  checkBinds(list.name, list.binds, used);
  for (const [name, bind] of Object.entries(list.binds)) {
    declarations.push(`  l_${name} ${LOCAL_TYPES[bind.type]} := :${name};`);
  }
  const head = declarations.length === 0 ? [] : ['DECLARE', ...declarations];
  return { sql: [...head, 'BEGIN', ...body, 'END;'].join('\n'), binds: list.binds, outs };
}

function refuseRepeatedNames(list: AtomicList): void {
  const names = new Set<string>();
  for (const { name } of list.statements) {
    if (names.has(name)) throw statementFault(list.name, `statement name ${name} is used twice`);
    names.add(name);
  }
}

function statementLines(
  list: AtomicList,
  statement: DmlStatement,
  index: number,
  used: Set<string>,
): string[] {
  const label = `${list.name}/${statement.name}`;
  const sql = statement.sql.trim();
  if (!DML.test(sql)) throw statementFault(label, 'it is not an INSERT, UPDATE, DELETE or MERGE');
  checkStatementText(label, sql);
  const lines = [`  ${localized(label, sql, used)};`, `  :rows_${index + 1} := SQL%ROWCOUNT;`];
  if (statement.expect !== undefined) lines.push(...expectationLines(label, list, statement.expect, used));
  return lines;
}

function localized(label: string, sql: string, used: Set<string>): string {
  const pieces = scanSql(sql).map((piece) => {
    if (piece.kind === 'code' && /[;:]/.test(piece.text))
      throw statementFault(label, 'the text has a stray ; or :');
    if (piece.kind !== 'placeholder') return piece.text;
    const name = piece.text.slice(1);
    used.add(name);
    return `l_${name}`;
  });
  return pieces.join('');
}

function expectationLines(label: string, list: AtomicList, expect: Expectation, used: Set<string>): string[] {
  checkStatementText(label, expect.message);
  if (/[\r\n]/.test(expect.message)) throw statementFault(label, 'the message of an expectation is one line');
  const message = expect.message.replaceAll("'", "''");
  return [
    `  IF SQL%ROWCOUNT <> ${expectedRows(label, list, expect, used)} THEN`,
    `    RAISE_APPLICATION_ERROR(-${EXPECTATION_NUMBERS[expect.otherwise]}, '${message}');`,
    '  END IF;',
  ];
}

/** A bind of NULL would compare as unknown, and the expectation would hold whatever happened. */
function expectedRows(
  label: string,
  { binds }: AtomicList,
  { rows }: Expectation,
  used: Set<string>,
): string {
  const bind = typeof rows === 'object' ? binds[rows.bind] : number(rows);
  if (bind?.type !== 'number' || !Number.isSafeInteger(bind.value) || Number(bind.value) < 0) {
    throw statementFault(label, 'the expected row count is not a whole number');
  }
  if (typeof rows === 'number') return String(rows);
  used.add(rows.bind);
  return `l_${rows.bind}`;
}
