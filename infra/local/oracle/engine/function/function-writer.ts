import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { quoteName } from '../../translate/names.ts';
import { postgresType } from '../../translate/value.ts';
import type { Block, BlockStatement, Declaration, FunctionSyntax, Handler } from '../block/block-syntax.ts';
import { compileError } from '../block/compile-error.ts';
import { EXCEPTION_NUMBERS } from '../block/exception-handler.ts';
import { PLS_INTEGER } from '../block/pls-integer.ts';
import type { ExpressionWriter } from './expression-writer.ts';
import { DEPTH, type FunctionScope, TURNS } from './function-scope.ts';

/** Errors that no handler takes: cancelled loops, the end of the engine, and what the emulator lacks. */
const UNHANDLED = [1013, 1089, 3001];

/** Declares the functions of a block and gives the scope in which its statements see them. */
export type DeclareFunctions = (functions: readonly FunctionSyntax[], scope: FunctionScope) => FunctionScope;

/** Writes the body of one function as PL/pgSQL, statement by statement. */
export class FunctionWriter {
  readonly #text: string;
  readonly #returns: OracleType;
  readonly #expressions: ExpressionWriter;
  readonly #declareFunctions: DeclareFunctions;

  constructor(
    text: string,
    returns: OracleType,
    expressions: ExpressionWriter,
    declareFunctions: DeclareFunctions,
  ) {
    this.#text = text;
    this.#returns = returns;
    this.#expressions = expressions;
    this.#declareFunctions = declareFunctions;
  }

  /** The text of PostgreSQL's function. */
  write(block: Block, scope: FunctionScope): string {
    return [
      '#variable_conflict use_variable',
      `DECLARE ${TURNS} bigint := 0;`,
      'BEGIN',
      `IF ${DEPTH} > 64 THEN PERFORM ora.refuse_depth(); END IF;`,
      this.#block(block, scope),
      'END',
    ].join('\n');
  }

  #block(block: Block, outer: FunctionScope): string {
    const lines: string[] = [];
    const names = new Set<string>();
    let scope = outer;
    for (const declaration of block.declarations) {
      if (names.has(declaration.name)) {
        const message = `PLS-00371: at most one declaration for '${declaration.name}' is permitted`;
        throw compileError(this.#text, declaration.offset, message);
      }
      names.add(declaration.name);
      lines.push(this.#declaration(declaration, scope));
      scope = scope.withVariable(declaration.name, declaration.type, !declaration.constant);
    }
    scope = this.#declareFunctions(block.functions, scope);
    const declared = lines.length === 0 ? '' : `DECLARE\n${lines.join('\n')}\n`;
    const body = this.#all(block.body, scope);
    const handlers = block.handlers.length === 0 ? '' : this.#handlers(block.handlers, scope.forHandler());
    return `${declared}BEGIN\n${body}\n${handlers}END;`;
  }

  #declaration({ name, type, initial }: Declaration, scope: FunctionScope): string {
    const value = initial === undefined ? '' : ` := ${this.#expressions.assigned(initial, type, scope)}`;
    return `${quoteName(name)} ${postgresType(type)}${value};`;
  }

  #handlers(handlers: readonly Handler[], scope: FunctionScope): string {
    const number = 'ora.error_number(SQLSTATE, SQLERRM)';
    const branches = handlers.map(({ exceptions, body }) => {
      const isOthers = exceptions.includes('OTHERS');
      const numbers = exceptions.map((name) => EXCEPTION_NUMBERS[name]);
      return `WHEN ${isOthers ? 'TRUE' : `${number} IN (${numbers.join(', ')})`} THEN\n${this.#all(body, scope)}\n`;
    });
    return [
      'EXCEPTION WHEN OTHERS THEN',
      `CASE WHEN ${number} IN (${UNHANDLED.join(', ')}) THEN RAISE;`,
      `${branches.join('')}ELSE RAISE;`,
      'END CASE;\n',
    ].join('\n');
  }

  #all(statements: readonly BlockStatement[], scope: FunctionScope): string {
    return statements.map((statement) => this.#statement(statement, scope)).join('\n');
  }

  #statement(statement: BlockStatement, scope: FunctionScope): string {
    switch (statement.kind) {
      case 'block':
        return this.#block(statement, scope);
      case 'null':
        return 'NULL;';
      case 'assign':
        return this.#assignment(statement, scope);
      case 'if':
        return this.#if(statement, scope);
      case 'case_not_found':
        return "PERFORM ora.raise(6592, 'CASE not found while executing CASE statement');";
      case 'return':
        return this.#return(statement, scope);
      case 'raise':
        return this.#raise(statement, scope);
      case 'raise_application_error': {
        const number = this.#expressions.number(statement.number, scope);
        const message = this.#expressions.text(statement.message, scope);
        return `PERFORM ora.raise_application_error(${number}, ${message});`;
      }
      case 'exit':
      case 'continue':
        return this.#leave(statement, scope);
      case 'while': {
        const condition =
          statement.condition && `WHILE ${this.#expressions.condition(statement.condition, scope)} `;
        return this.#loop(condition ?? '', statement.body, scope);
      }
      case 'for_range':
        return this.#range(statement, scope);
      default:
        throw new OracleError(
          3001,
          'unimplemented feature: SQL or a call of a procedure in a stored function',
          {
            offset: statement.offset,
          },
        );
    }
  }

  #assignment(statement: BlockStatement & { kind: 'assign' }, scope: FunctionScope): string {
    const { source, name } = statement.target;
    const variable = source === 'variable' ? scope.find(name) : undefined;
    if (variable === undefined) {
      throw compileError(this.#text, statement.offset, `PLS-00201: identifier '${name}' must be declared`);
    }
    if (!variable.assignable) {
      throw compileError(
        this.#text,
        statement.offset,
        `PLS-00363: expression '${name}' cannot be used as an assignment target`,
      );
    }
    return `${variable.sql} := ${this.#expressions.assigned(statement.value, variable.type, scope)};`;
  }

  #if(statement: BlockStatement & { kind: 'if' }, scope: FunctionScope): string {
    const branches = statement.branches.map(
      ({ condition, body }) =>
        `IF ${this.#expressions.condition(condition, scope)} THEN\n${this.#all(body, scope)}`,
    );
    const otherwise =
      statement.otherwise.length === 0 ? '' : `\nELSE\n${this.#all(statement.otherwise, scope)}`;
    return `${branches.join('\nELS')}${otherwise}\nEND IF;`;
  }

  #return(statement: BlockStatement & { kind: 'return' }, scope: FunctionScope): string {
    if (statement.value === undefined) {
      throw compileError(
        this.#text,
        statement.offset,
        'PLS-00503: RETURN <value> statement required for this return from function',
      );
    }
    return `RETURN ${this.#expressions.assigned(statement.value, this.#returns, scope)};`;
  }

  #raise(statement: BlockStatement, scope: FunctionScope): string {
    if (!scope.inHandler) {
      throw compileError(
        this.#text,
        statement.offset,
        'PLS-00367: a RAISE statement with no exception name must be inside an exception handler',
      );
    }
    return 'RAISE;';
  }

  #leave(statement: BlockStatement & { kind: 'exit' | 'continue' }, scope: FunctionScope): string {
    const word = statement.kind.toUpperCase();
    if (!scope.inLoop) {
      throw compileError(
        this.#text,
        statement.offset,
        `PLS-00376: illegal ${word}/CONTINUE statement; it must appear inside a loop`,
      );
    }
    const { when } = statement;
    return when === undefined ? `${word};` : `${word} WHEN ${this.#expressions.condition(when, scope)};`;
  }

  /** The index is a whole number of PL/SQL's, and NUMBER in expressions. */
  #range(statement: BlockStatement & { kind: 'for_range' }, scope: FunctionScope): string {
    const [low, high] = [statement.low, statement.high].map(
      (bound) => `${this.#expressions.assigned(bound, PLS_INTEGER, scope)}::integer`,
    );
    const name = quoteName(statement.index);
    const inside = scope.withVariable(statement.index, PLS_INTEGER, false, `(${name}::numeric)`);
    return this.#loop(`FOR ${name} IN ${low}..${high} `, statement.body, inside);
  }

  #loop(heading: string, body: readonly BlockStatement[], scope: FunctionScope): string {
    return [
      `${heading}LOOP`,
      `${TURNS} := ${TURNS} + 1;`,
      `IF ${TURNS} % 1000 = 0 THEN PERFORM ora.check_time(); END IF;`,
      this.#all(body, scope.forLoop()),
      'END LOOP;',
    ].join('\n');
  }
}
