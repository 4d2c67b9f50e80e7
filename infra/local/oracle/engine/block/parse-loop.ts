import type { BlockReader } from './block-reader.ts';
import type { BlockStatement } from './block-syntax.ts';
import { parseStatements } from './parse-block.ts';

/** LOOP, WHILE, FOR over a query or a range, EXIT and CONTINUE. */
export function parseLoop(reader: BlockReader): BlockStatement {
  const { offset, value } = reader.next();
  switch (value) {
    case 'WHILE': {
      const condition = reader.expressionUntil('LOOP');
      return { kind: 'while', condition, body: parseBody(reader), offset };
    }
    case 'FOR':
      return parseFor(reader, offset);
    case 'EXIT':
    case 'CONTINUE':
      return parseLeave(reader, value === 'EXIT' ? 'exit' : 'continue', offset);
    default:
      return { kind: 'while', condition: undefined, body: parseBodyAfterLoop(reader), offset };
  }
}

function parseFor(reader: BlockReader, offset: number): BlockStatement {
  const name = reader.name();
  reader.expect('IN');
  if (reader.at('REVERSE')) {
    reader.unsupported('REVERSE');
  }
  if (reader.atOperator('(') && (isQueryStart(reader, 'SELECT') || isQueryStart(reader, 'WITH'))) {
    reader.next();
    const start = reader.token.offset;
    const query = { text: reader.parenthesizedText(), offset: start };
    const body = reader.withRecord(name, () => parseBody(reader));
    return { kind: 'for_query', record: name, query, body, offset };
  }
  const low = reader.expressionUntil('..');
  reader.expectOperator('..');
  const high = reader.expressionUntil('LOOP');
  return { kind: 'for_range', index: name, low, high, body: parseBody(reader), offset };
}

function isQueryStart(reader: BlockReader, word: string): boolean {
  const token = reader.peek(1);
  return token.kind === 'word' && token.value === word;
}

function parseLeave(reader: BlockReader, kind: 'exit' | 'continue', offset: number): BlockStatement {
  const when = reader.accept('WHEN') ? reader.expressionUntil(';') : undefined;
  reader.expectOperator(';');
  return { kind, when, offset };
}

function parseBody(reader: BlockReader): readonly BlockStatement[] {
  reader.expect('LOOP');
  return parseBodyAfterLoop(reader);
}

function parseBodyAfterLoop(reader: BlockReader): readonly BlockStatement[] {
  const body = parseStatements(reader, 'END');
  reader.expect('END', 'LOOP');
  reader.expectOperator(';');
  return body;
}
