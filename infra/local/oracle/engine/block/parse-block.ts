import { BlockReader } from './block-reader.ts';
import type { Block, BlockStatement, Branch, Handler, Target } from './block-syntax.ts';
import { compileError } from './compile-error.ts';
import { atPackageCall, parsePackageCall, parseProcedureCall } from './package-call.ts';
import { parseCase } from './parse-case.ts';
import { type Declared, parseDeclarations } from './parse-declaration.ts';
import { parseLoop } from './parse-loop.ts';

const SQL_VERBS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const LOOP_WORDS: ReadonlySet<string> = new Set(['FOR', 'WHILE', 'LOOP', 'EXIT', 'CONTINUE']);
const SUPPORTED_EXCEPTIONS: ReadonlySet<string> = new Set([
  'DUP_VAL_ON_INDEX',
  'NO_DATA_FOUND',
  'TOO_MANY_ROWS',
  'VALUE_ERROR',
  'INVALID_NUMBER',
  'ZERO_DIVIDE',
  'OTHERS',
]);

/**
 * Parses an anonymous block (PL/SQL Language Reference, "Block"): declarations, SQL, assignments, IF, loops, nested
 * blocks with handlers, RAISE_APPLICATION_ERROR, calls of stored procedures and of some packages, and EXECUTE IMMEDIATE of a literal. Anything else is
 * ORA-06550.
 */
export function parseBlock(text: string): Block {
  const reader = new BlockReader(text);
  const block = parseNestedBlock(reader);
  if (reader.token.kind !== 'end') {
    reader.unexpected('end-of-file');
  }
  return block;
}

function parseNestedBlock(reader: BlockReader): Block {
  const { offset } = reader.token;
  const declared = reader.accept('DECLARE') ? parseDeclarations(reader) : { declarations: [], functions: [] };
  const block = parseBody(reader, declared, offset);
  reader.expectOperator(';');
  return block;
}

/** A block from its BEGIN to its END. */
export function parseBody(reader: BlockReader, declared: Declared, offset: number): Block {
  reader.expect('BEGIN');
  const body = parseStatements(reader, 'END', 'EXCEPTION');
  const handlers: Handler[] = [];
  if (reader.accept('EXCEPTION')) {
    while (!reader.at('END')) {
      handlers.push(parseHandler(reader));
    }
    if (handlers.length === 0) {
      reader.unexpected('WHEN');
    }
    checkOthers(reader, handlers);
  }
  reader.expect('END');
  return { kind: 'block', ...declared, body, handlers, offset };
}

/** PLS-00370: OTHERS stands alone, in the last handler. */
function checkOthers(reader: BlockReader, handlers: readonly Handler[]): void {
  const misplaced = handlers.some(
    ({ exceptions }, index) =>
      exceptions.includes('OTHERS') && (index < handlers.length - 1 || exceptions.length > 1),
  );
  if (misplaced) {
    throw compileError(
      reader.text,
      reader.token.offset,
      'PLS-00370: OTHERS handler must be last among the exception handlers of a block',
    );
  }
}

function parseHandler(reader: BlockReader): Handler {
  reader.expect('WHEN');
  const exceptions: string[] = [];
  do {
    if (!SUPPORTED_EXCEPTIONS.has(reader.token.value)) {
      reader.unsupported(`the exception ${reader.token.text}`);
    }
    exceptions.push(reader.name());
  } while (reader.accept('OR'));
  reader.expect('THEN');
  return { exceptions, body: parseStatements(reader, 'WHEN', 'END') };
}

/** Statements up to one of the given words; at least one. */
export function parseStatements(reader: BlockReader, ...ends: readonly string[]): readonly BlockStatement[] {
  const statements: BlockStatement[] = [];
  while (!ends.some((end) => reader.at(end))) {
    statements.push(parseStatement(reader));
  }
  if (statements.length === 0) {
    reader.unexpected('a statement such as NULL');
  }
  return statements;
}

function parseStatement(reader: BlockReader): BlockStatement {
  const { kind, value, offset } = reader.token;
  if (kind === 'bind') {
    return parseAssignment(reader);
  }
  if (kind !== 'word') {
    reader.unexpected('a statement');
  }
  if (SQL_VERBS.has(value)) {
    return { kind: 'sql', sql: { text: reader.statementText(), offset }, offset };
  }
  if (LOOP_WORDS.has(value)) {
    return parseLoop(reader);
  }
  switch (value) {
    case 'DECLARE':
    case 'BEGIN':
      return parseNestedBlock(reader);
    case 'IF':
      return parseIf(reader);
    case 'CASE':
      return parseCase(reader);
    case 'RETURN':
      return parseReturn(reader);
    case 'NULL':
    case 'RAISE':
      reader.next();
      reader.expectOperator(';');
      return { kind: value === 'NULL' ? 'null' : 'raise', offset };
    case 'RAISE_APPLICATION_ERROR':
      return parseRaiseApplicationError(reader);
    case 'EXECUTE':
      return parseExecuteImmediate(reader);
    case 'COMMIT':
    case 'ROLLBACK':
    case 'SAVEPOINT':
    case 'LOCK':
    case 'OPEN':
    case 'FETCH':
    case 'CLOSE':
    case 'FORALL':
    case 'GOTO':
    case 'SET':
      return reader.unsupported(value);
    default:
      if (atPackageCall(reader)) return parsePackageCall(reader);
      return reader.atOperator('(', 1) ? parseProcedureCall(reader) : parseAssignment(reader);
  }
}

function parseAssignment(reader: BlockReader): BlockStatement {
  const { offset } = reader.token;
  const target = parseTarget(reader);
  if (!reader.atOperator(':=')) {
    reader.unexpected(':=');
  }
  reader.next();
  const value = reader.expressionUntil(';');
  reader.expectOperator(';');
  return { kind: 'assign', target, value, offset };
}

function parseTarget(reader: BlockReader): Target {
  if (reader.token.kind === 'bind') {
    return { source: 'bind', name: reader.next().value };
  }
  return { source: 'variable', name: reader.name() };
}

function parseIf(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  const branches: Branch[] = [];
  do {
    const condition = reader.expressionUntil('THEN');
    reader.expect('THEN');
    branches.push({ condition, body: parseStatements(reader, 'ELSIF', 'ELSE', 'END') });
  } while (reader.accept('ELSIF'));
  const otherwise = reader.accept('ELSE') ? parseStatements(reader, 'END') : [];
  reader.expect('END', 'IF');
  reader.expectOperator(';');
  return { kind: 'if', branches, otherwise, offset };
}

function parseReturn(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  const hasValue = reader.isFunction && !reader.atOperator(';');
  const value = hasValue ? reader.expressionUntil(';') : undefined;
  reader.expectOperator(';');
  return { kind: 'return', value, offset };
}

function parseRaiseApplicationError(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  reader.expectOperator('(');
  const number = reader.expressionUntil(',');
  reader.expectOperator(',');
  const message = reader.expressionUntil(',', ')');
  if (reader.atOperator(',')) {
    reader.unsupported('the third argument of RAISE_APPLICATION_ERROR');
  }
  reader.expectOperator(')');
  reader.expectOperator(';');
  return { kind: 'raise_application_error', number, message, offset };
}

function parseExecuteImmediate(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  reader.expect('IMMEDIATE');
  const text = reader.textLiteral();
  if (!reader.atOperator(';')) {
    reader.unsupported('EXECUTE IMMEDIATE of anything but one string literal');
  }
  reader.next();
  return { kind: 'execute_immediate', text, offset };
}
