import type { BlockReader } from './block-reader.ts';
import type { BlockStatement } from './block-syntax.ts';

const LEXERS: ReadonlySet<string> = new Set(['BASIC_LEXER', 'WORLD_LEXER']);
const OPTIMIZATIONS: ReadonlySet<string> = new Set(['FAST', 'FULL', 'REBUILD']);

/**
 * `CTX_DDL.SYNC_INDEX(name)`, `OPTIMIZE_INDEX(name, level)` or `CREATE_PREFERENCE(name, lexer)`. Preferences are read and
 * not kept: the emulator has one lexer for all text indexes.
 */
export function parseTextCall(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  reader.expectOperator('.');
  const procedure = reader.token.value;
  if (reader.accept('SYNC_INDEX')) {
    reader.expectOperator('(');
    const index = reader.expressionUntil(')', ',');
    return endCall(reader, { kind: 'sync_index', index, offset });
  }
  if (reader.accept('OPTIMIZE_INDEX')) {
    reader.expectOperator('(');
    const index = reader.expressionUntil(',', ')');
    reader.expectOperator(',');
    requireChoice(reader, OPTIMIZATIONS);
    return endCall(reader, { kind: 'optimize_index', index, offset });
  }
  if (reader.accept('CREATE_PREFERENCE')) {
    reader.expectOperator('(');
    reader.textLiteral();
    reader.expectOperator(',');
    requireChoice(reader, LEXERS);
    return endCall(reader, { kind: 'null', offset });
  }
  return reader.unsupported(`CTX_DDL.${procedure}`);
}

function requireChoice(reader: BlockReader, choices: ReadonlySet<string>): void {
  if (!choices.has(reader.token.value.toUpperCase())) reader.unsupported(reader.token.text);
  reader.textLiteral();
}

function endCall(reader: BlockReader, statement: BlockStatement): BlockStatement {
  if (reader.atOperator(',')) reader.unsupported('further arguments of CTX_DDL');
  reader.expectOperator(')');
  reader.expectOperator(';');
  return statement;
}
