import type { Fetch, ForUpdate } from '../query-syntax.ts';
import type { Expression } from '../syntax-tree.ts';
import { parseExpression } from './parse-expression.ts';
import { parseColumnPath } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

/** `OFFSET n ROWS`, if it is there. */
export function parseOffset(reader: TokenReader): Expression | undefined {
  if (!reader.accept('OFFSET')) {
    return undefined;
  }
  const skip = parseExpression(reader);
  if (!reader.accept('ROWS')) {
    reader.expect('ROW');
  }
  return skip;
}

/** `FETCH [APPROX | EXACT] FIRST n ROWS ONLY`, if it is there. */
export function parseFetch(reader: TokenReader): Fetch | undefined {
  if (!reader.accept('FETCH')) {
    return undefined;
  }
  const approximate = reader.accept('APPROX') || reader.accept('APPROXIMATE') || reader.accept('EXACT');
  if (!reader.accept('FIRST') && !reader.accept('NEXT') && !approximate) {
    reader.fail(905);
  }
  const count = reader.at('ROW') || reader.at('ROWS') ? undefined : parseExpression(reader);
  const percent = reader.accept('PERCENT');
  if (reader.at('PARTITIONS') || reader.atOperator(',')) {
    reader.unsupported('FETCH … PARTITIONS BY');
  }
  if (!reader.accept('ROWS')) {
    reader.expect('ROW');
  }
  const withTies = reader.accept('WITH', 'TIES');
  if (!withTies && !reader.at('WITH')) {
    reader.expect('ONLY');
  }
  skipTargetAccuracy(reader);
  return { count, percent, withTies };
}

/** Accuracy only steers an approximate index; the emulator always answers exactly. */
function skipTargetAccuracy(reader: TokenReader): void {
  if (!reader.accept('WITH')) {
    return;
  }
  reader.accept('TARGET');
  reader.expect('ACCURACY');
  if (!reader.accept('PARAMETERS')) {
    reader.integer(922);
    reader.accept('PERCENT');
    return;
  }
  reader.parenthesized(() => {
    while (!reader.atOperator(')') && !reader.atOperator(',')) {
      const { kind } = reader.next();
      if (kind !== 'word' && kind !== 'number') {
        reader.fail(922);
      }
    }
  });
}

/** `FOR UPDATE [OF …] [NOWAIT | SKIP LOCKED | WAIT n]`, if it is there. */
export function parseForUpdate(reader: TokenReader): ForUpdate | undefined {
  if (!reader.accept('FOR')) {
    return undefined;
  }
  reader.expect('UPDATE');
  const columns = reader.accept('OF') ? reader.list(() => parseColumnPath(reader)) : [];
  let wait: ForUpdate['wait'] = 'WAIT';
  if (reader.accept('NOWAIT')) {
    wait = 'NOWAIT';
  } else if (reader.accept('SKIP')) {
    reader.expect('LOCKED');
    wait = 'SKIP LOCKED';
  } else if (reader.accept('WAIT')) {
    reader.integer(30005);
  }
  return { columns, wait };
}
