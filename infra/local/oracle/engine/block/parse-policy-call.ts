import { POLICY_STATEMENTS, type PolicyStatement } from '../catalog.ts';
import type { BlockReader } from './block-reader.ts';
import type { BlockStatement } from './block-syntax.ts';

const POLICY_TYPES: ReadonlySet<string> = new Set(['DYNAMIC', 'CONTEXT_SENSITIVE']);

/** Arguments of a call of DBMS_RLS by name, as literals: text, or the words TRUE, FALSE and a constant of the package. */
type Arguments = ReadonlyMap<string, string>;

/**
 * `DBMS_RLS.ADD_POLICY` and `DROP_POLICY` with named arguments. Schemas are not looked at, because the emulator has one.
 */
export function parsePolicyCall(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  reader.expectOperator('.');
  const isAdded = reader.at('ADD_POLICY');
  if (!isAdded && !reader.at('DROP_POLICY')) {
    reader.unsupported(`DBMS_RLS.${reader.token.value}`);
  }
  reader.next();
  const given = parseArguments(reader);
  const table = required(reader, given, 'OBJECT_NAME').toUpperCase();
  const name = required(reader, given, 'POLICY_NAME').toUpperCase();
  if (!isAdded) {
    return { kind: 'drop_policy', table, name, offset };
  }
  checkType(reader, given);
  const policy = {
    table,
    name,
    schema: required(reader, given, 'OBJECT_SCHEMA').toUpperCase(),
    functionName: required(reader, given, 'POLICY_FUNCTION').toUpperCase(),
    statements: statementsOf(reader, given),
    updateCheck: given.get('UPDATE_CHECK') === 'TRUE',
    longPredicate: given.get('LONG_PREDICATE') === 'TRUE',
    contextSensitive: given.get('POLICY_TYPE') === 'CONTEXT_SENSITIVE',
  };
  return { kind: 'add_policy', policy, offset };
}

/** All kinds when none is named. */
function statementsOf(reader: BlockReader, given: Arguments): readonly PolicyStatement[] {
  const written = given.get('STATEMENT_TYPES');
  if (written === undefined) {
    return POLICY_STATEMENTS;
  }
  return written.split(',').map((word) => {
    const type = word.trim().toUpperCase();
    return (
      POLICY_STATEMENTS.find((known) => known === type) ?? reader.unsupported(`the statement type ${type}`)
    );
  });
}

function checkType(reader: BlockReader, given: Arguments): void {
  if (!POLICY_TYPES.has(given.get('POLICY_TYPE') ?? 'DYNAMIC')) {
    reader.unsupported(`the policy type ${given.get('POLICY_TYPE')}`);
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['OBJECT_SCHEMA', 'OBJECT_NAME', 'POLICY_NAME', 'FUNCTION_SCHEMA', 'POLICY_FUNCTION'],
  ...['STATEMENT_TYPES', 'UPDATE_CHECK', 'POLICY_TYPE', 'LONG_PREDICATE'],
]);

function parseArguments(reader: BlockReader): Arguments {
  const given = new Map<string, string>();
  reader.expectOperator('(');
  do {
    const name = reader.name();
    if (!KNOWN.has(name)) {
      reader.unsupported(`the argument ${name}`);
    }
    reader.expectOperator('=>');
    given.set(name, parseLiteral(reader));
  } while (reader.acceptOperator(','));
  reader.expectOperator(')');
  reader.expectOperator(';');
  return given;
}

function parseLiteral(reader: BlockReader): string {
  if (reader.token.kind === 'text') {
    return reader.textLiteral();
  }
  if (reader.accept('DBMS_RLS')) {
    reader.expectOperator('.');
  } else if (!reader.at('TRUE') && !reader.at('FALSE')) {
    reader.unsupported('anything but a literal here');
  }
  return reader.next().value;
}

function required(reader: BlockReader, given: Arguments, name: string): string {
  return given.get(name) ?? reader.unexpected(name);
}
