import type { Bind, Binds } from './bind.ts';
import { statementFault } from './statement-fault.ts';

/** Oracle's reserved words (V$RESERVED_WORDS with RESERVED = 'Y'): ORA-01745 as a bind name. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    'access add all alter and any as asc audit between by char check cluster column column_value comment compress ' +
    'connect create current date decimal default delete desc distinct drop else exclusive exists file float for from ' +
    'grant group having identified immediate in increment index initial insert integer intersect into is level like ' +
    'lock long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress not nowait null number of ' +
    'offline on online option or order pctfree prior public raw rename resource revoke row rowid rownum rows select ' +
    'session set share size smallint start successful synonym sysdate table then to trigger uid union unique update ' +
    'user validate values varchar varchar2 view whenever where with'
  ).split(' '),
);
const MAXIMUM_NAME_LENGTH = 120;
const MAXIMUM_TEXT_BYTES = 4000;
const encoder = new TextEncoder();

/**
 * Checks names and values of the binds of a statement and that exactly the `used` ones are given.
 *
 * @throws AgentMemoryError `internal` naming the statement: a wrong bind is a fault of this program.
 */
export function checkBinds(statement: string, binds: Binds, used: ReadonlySet<string>): void {
  for (const [name, bind] of Object.entries(binds)) {
    checkName(statement, name);
    checkValue(statement, name, bind);
    if (!used.has(name)) throw statementFault(statement, `bind ${name} is not used in the text`);
  }
  for (const name of used) {
    if (!Object.hasOwn(binds, name)) throw statementFault(statement, `bind ${name} has no value`);
  }
}

function checkName(statement: string, name: string): void {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw statementFault(statement, `bind name ${name} is not lower_snake_case`);
  if (name.length > MAXIMUM_NAME_LENGTH) throw statementFault(statement, `bind name ${name} is too long`);
  if (RESERVED_WORDS.has(name)) throw statementFault(statement, `bind name ${name} is a reserved word`);
}

function checkValue(statement: string, name: string, bind: Bind): void {
  if (bind.value === null) return;
  if (bind.type === 'number') {
    const exact = !Number.isInteger(bind.value) || Number.isSafeInteger(bind.value);
    if (!Number.isFinite(bind.value) || !exact)
      throw statementFault(statement, `bind ${name} is not an exact number`);
  } else if (bind.type === 'text' && byteLength(bind.value) > MAXIMUM_TEXT_BYTES) {
    throw statementFault(
      statement,
      `bind ${name} is longer than ${MAXIMUM_TEXT_BYTES} bytes: bind it as clob`,
    );
  }
}

function byteLength(value: string): number {
  return value.length * 3 <= MAXIMUM_TEXT_BYTES ? value.length : encoder.encode(value).length;
}

/** The value that a transport sends. Empty text is NULL in Oracle, but a driver would make an empty CLOB of it. */
export function boundValue(bind: Bind): string | number | null {
  return bind.value === '' ? null : bind.value;
}
