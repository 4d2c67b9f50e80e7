import { OracleError } from '../sql/oracle-error.ts';
import { isReservedWord } from '../sql/reserved-words.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { translateMember } from './functions/json-type.ts';
import { PSEUDO_FUNCTIONS } from './functions/pseudo.ts';
import { translateBareCall } from './functions/stored-function.ts';
import { assertNotOracleFunction } from './functions/unsupported.ts';
import { quoteName, quoteText } from './names.ts';
import { type Environment, invalidIdentifier, resolveColumn } from './scope.ts';
import { NUMBER, type Value } from './value.ts';

/** A column, alias, sequence, variable or pseudo-column, in the order in which Oracle looks. ORA-00904 otherwise. */
export function translateName(path: readonly Identifier[], environment: Environment): Value {
  const [first, second] = path;
  if (first === undefined) {
    throw invalidIdentifier(path);
  }
  if (second === undefined && isReservedWord(first.name)) {
    return translatePseudo(first, environment);
  }
  const alias = second === undefined ? environment.aliases?.get(first.name) : undefined;
  if (alias !== undefined) {
    return alias;
  }
  const column = resolveColumn(environment.scope, path);
  if (column !== undefined) {
    checkGrouping(column, path, environment);
    return column;
  }
  if (second !== undefined) {
    return translateMember(path, environment) ?? translateSequence(path, environment);
  }
  const variable = environment.state.variable(first.name);
  if (variable !== undefined) {
    return variable;
  }
  return environment.lateAliases?.get(first.name) ?? translatePseudo(first, environment);
}

function translatePseudo(name: Identifier, environment: Environment): Value {
  const pseudo = PSEUDO_FUNCTIONS[name.name] ?? translateBareCall(name, environment);
  if (pseudo === undefined || (environment.restricted === true && name.name === 'ROWNUM')) {
    throw invalidIdentifier([name]);
  }
  if (environment.inCheck === true) {
    throw new OracleError(2436, 'date or system variable wrongly specified in CHECK constraint', {
      offset: name.offset,
    });
  }
  return pseudo;
}

/** ORA-00979, or ORA-00937 without a GROUP BY. */
function checkGrouping(
  column: Value & { local: boolean },
  path: readonly Identifier[],
  environment: Environment,
): void {
  const { grouping } = environment;
  if (grouping === undefined || !column.local || grouping.keys.has(column.sql)) {
    return;
  }
  const name = path.map((part) => part.name).join('.');
  throw grouping.explicit
    ? new OracleError(
        979,
        `"${name}": must appear in the GROUP BY clause or be used in an aggregate function`,
        { offset: path[0]?.offset },
      )
    : new OracleError(937, `not a single-group group function: "${name}"`, { offset: path[0]?.offset });
}

/** `sequence.NEXTVAL` and `sequence.CURRVAL`. */
function translateSequence(path: readonly Identifier[], environment: Environment): Value {
  const [sequence, operation] = path;
  if (sequence === undefined || operation === undefined || path.length > 2) {
    throw invalidIdentifier(path);
  }
  if (operation.name !== 'NEXTVAL' && operation.name !== 'CURRVAL') {
    assertNotOracleFunction(`${sequence.name}.${operation.name}`, sequence.offset);
    throw invalidIdentifier(path);
  }
  if (!environment.state.catalog.sequence(sequence.name)) {
    throw new OracleError(2289, `sequence "${sequence.name}" does not exist`, { offset: sequence.offset });
  }
  if (environment.grouping !== undefined || environment.clause === 'where' || environment.inCheck === true) {
    throw new OracleError(2287, 'sequence number not allowed here', { offset: sequence.offset });
  }
  const call = environment.state.sequenceCall(sequence.name, operation.name, sequence.offset);
  return { sql: `${call}(${quoteText(quoteName(sequence.name))})::numeric`, type: NUMBER };
}
