import type { BlockReader } from './block-reader.ts';
import type { BlockExpression, BlockStatement, Branch } from './block-syntax.ts';
import { parseStatements } from './parse-block.ts';

/** `CASE … WHEN … THEN … END CASE;` as IF. Without an ELSE that takes it, a value is ORA-06592. */
export function parseCase(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  const selector = reader.at('WHEN') ? undefined : reader.expressionUntil('WHEN');
  const branches: Branch[] = [];
  while (reader.accept('WHEN')) {
    const value = reader.expressionUntil('THEN');
    reader.expect('THEN');
    const condition = selector === undefined ? value : equals(selector, value);
    branches.push({ condition, body: parseStatements(reader, 'WHEN', 'ELSE', 'END') });
  }
  if (branches.length === 0) {
    reader.unexpected('WHEN');
  }
  const otherwise: readonly BlockStatement[] = reader.accept('ELSE')
    ? parseStatements(reader, 'END')
    : [{ kind: 'case_not_found', offset }];
  reader.expect('END', 'CASE');
  reader.expectOperator(';');
  return { kind: 'if', branches, otherwise, offset };
}

function equals(selector: BlockExpression, value: BlockExpression): BlockExpression {
  const { offset } = value;
  return {
    text: `(${selector.text}) = (${value.text})`,
    tree: {
      kind: 'comparison',
      operator: '=',
      quantifier: undefined,
      left: selector.tree,
      right: value.tree,
      offset: 0,
    },
    offset,
  };
}
