import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { tokenize } from '../../sql/tokenizer.ts';
import { ddl } from '../../translate/ddl.ts';
import type { Translation } from '../../translate/translation.ts';
import { BlockReader } from '../block/block-reader.ts';
import { parseBlock } from '../block/parse-block.ts';
import type { Catalog, ProcedureDefinition } from '../catalog.ts';

/** Whether a text creates or drops a procedure or a context, which the parser of SQL does not know. */
export function isAdministration(text: string): boolean {
  const words = tokenize(text)
    .slice(0, 4)
    .map(({ kind, value }) => (kind === 'word' ? value : ''))
    .join(' ');
  return /^(?:CREATE (?:OR REPLACE )?|DROP )(?:PROCEDURE|CONTEXT)\b/.test(words);
}

/**
 * `CREATE PROCEDURE`, `CREATE CONTEXT … USING procedure` and their `DROP`. A procedure is kept as the block that its call
 * runs. Oracle creates one that does not compile and refuses to call it; here its syntax is refused at once.
 */
export function translateAdministration(text: string, catalog: Catalog): Translation {
  const reader = new BlockReader(text);
  if (reader.accept('DROP')) {
    return translateDrop(reader, catalog);
  }
  reader.expect('CREATE');
  const orReplace = reader.accept('OR', 'REPLACE');
  return reader.accept('CONTEXT')
    ? createContext(reader, orReplace, catalog)
    : createProcedure(reader, orReplace, catalog);
}

function createContext(reader: BlockReader, orReplace: boolean, catalog: Catalog): Translation {
  const name = reader.name();
  if (!orReplace && catalog.contextProcedure(name) !== undefined) {
    throw new OracleError(955, 'name is already used by an existing object', { offset: 0 });
  }
  reader.expect('USING');
  const procedure = reader.name();
  expectEnd(reader);
  return ddl('CREATE CONTEXT', [], [{ kind: 'context', name, procedure }]);
}

function translateDrop(reader: BlockReader, catalog: Catalog): Translation {
  const isContext = reader.accept('CONTEXT');
  if (!isContext) {
    reader.expect('PROCEDURE');
  }
  const isOptional = reader.accept('IF', 'EXISTS');
  const name = reader.name();
  expectEnd(reader);
  const isThere = isContext
    ? catalog.contextProcedure(name) !== undefined
    : catalog.procedure(name) !== undefined;
  const verb = isContext ? 'DROP CONTEXT' : 'DROP PROCEDURE';
  if (!isThere && isOptional) {
    return ddl(verb, [], []);
  }
  if (!isThere) {
    throw new OracleError(4043, `object ${name} does not exist`);
  }
  return ddl(verb, [], [{ kind: isContext ? 'drop_context' : 'drop_procedure', name }]);
}

function createProcedure(reader: BlockReader, orReplace: boolean, catalog: Catalog): Translation {
  reader.expect('PROCEDURE');
  const name = reader.name();
  const isTable = catalog.table(name) !== undefined;
  if (isTable || (!orReplace && catalog.procedure(name) !== undefined)) {
    throw new OracleError(955, 'name is already used by an existing object');
  }
  const parameters = reader.acceptOperator('(') ? parseParameters(reader) : [];
  if (reader.accept('AUTHID')) {
    reader.expect('DEFINER');
  }
  if (!reader.accept('IS')) {
    reader.expect('AS');
  }
  const block = blockText(parameters, reader.text.slice(reader.token.offset), name);
  parseBlock(block);
  const procedure: ProcedureDefinition = { name, parameters, block };
  return ddl('CREATE PROCEDURE', [], [{ kind: 'procedure', procedure }]);
}

const PARAMETER_TYPES: ReadonlyMap<string, { readonly type: OracleType; readonly declared: string }> =
  new Map([
    [
      'VARCHAR2',
      { type: { kind: 'VARCHAR2', length: 32_767, unit: 'BYTE' }, declared: 'VARCHAR2(32767 BYTE)' },
    ],
    ['CLOB', { type: { kind: 'CLOB' }, declared: 'CLOB' }],
    ['NUMBER', { type: { kind: 'NUMBER' }, declared: 'NUMBER' }],
  ] as const);

function parseParameters(reader: BlockReader): ProcedureDefinition['parameters'] {
  const parameters: ProcedureDefinition['parameters'][number][] = [];
  do {
    const name = reader.name();
    reader.accept('IN');
    const known = PARAMETER_TYPES.get(reader.token.value);
    if (known === undefined) {
      reader.unsupported(`the parameter type ${reader.token.text}`);
    }
    reader.next();
    parameters.push({ name, ...known });
  } while (reader.acceptOperator(','));
  reader.expectOperator(')');
  return parameters;
}

/** The procedure as a block whose binds are its parameters. */
function blockText(parameters: ProcedureDefinition['parameters'], body: string, name: string): string {
  const declarations = parameters.map((each) => `${each.name} ${each.declared} := :${each.name};`);
  const unnamed = body.trimEnd().replace(new RegExp(`\\bEND\\s+${name}\\s*;$`, 'i'), 'END;');
  return `DECLARE\n${declarations.join('\n')}\n${unnamed}`;
}

function expectEnd(reader: BlockReader): void {
  if (reader.token.kind !== 'end') {
    reader.unexpected('end-of-file');
  }
}
