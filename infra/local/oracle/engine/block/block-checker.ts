import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { tokenize } from '../../sql/tokenizer.ts';
import type { StatementRunner } from '../statement-runner.ts';
import type { StatementTranslator, TranslatedStatement, TypesByName } from '../statement-translator.ts';
import {
  type Block,
  type BlockExpression,
  type BlockStatement,
  type EmbeddedSql,
  PSEUDO_VARIABLES,
} from './block-syntax.ts';
import { compileError, wrapCompileError } from './compile-error.ts';
import type { CompiledBlock } from './compiled-block.ts';
import { ExpressionChecker } from './expression-checker.ts';
import { PLS_INTEGER } from './pls-integer.ts';

/** Resolves the names of a parsed block and translates its SQL, so that errors show before anything runs. */
export class BlockChecker {
  readonly #text: string;
  readonly #binds: TypesByName;
  readonly #translator: StatementTranslator;
  readonly #runner: StatementRunner;
  readonly #types = new Map<string, OracleType>();
  readonly #constants = new Set<string>();
  readonly #statements = new Map<EmbeddedSql, TranslatedStatement>();
  readonly #expressions: ExpressionChecker;

  constructor(text: string, binds: TypesByName, translator: StatementTranslator, runner: StatementRunner) {
    this.#text = text;
    this.#binds = binds;
    this.#translator = translator;
    this.#runner = runner;
    this.#expressions = new ExpressionChecker(text, binds, translator);
  }

  async check(block: Block): Promise<CompiledBlock> {
    await this.#checkStatement(block, { variables: new Map(), inLoop: false, inHandler: false });
    return {
      text: this.#text,
      block,
      binds: this.#binds,
      types: this.#types,
      statements: this.#statements,
      queries: this.#expressions.queries,
    };
  }

  async #checkAll(statements: readonly BlockStatement[], scope: BlockScope): Promise<void> {
    for (const statement of statements) {
      await this.#checkStatement(statement, scope);
    }
  }

  async #checkStatement(statement: BlockStatement, scope: BlockScope): Promise<void> {
    switch (statement.kind) {
      case 'block':
        return this.#checkBlock(statement, scope);
      case 'sql':
        return this.#checkSql(statement.sql, scope);
      case 'assign':
        this.#checkTarget(statement, scope);
        return this.#expressions.check(statement.value, scope.variables);
      case 'if':
        for (const branch of statement.branches) {
          this.#expressions.checkCondition(branch.condition, scope.variables);
          await this.#checkAll(branch.body, scope);
        }
        return this.#checkAll(statement.otherwise, scope);
      case 'raise_application_error':
        this.#expressions.check(statement.number, scope.variables);
        return this.#expressions.check(statement.message, scope.variables);
      case 'sync_index':
      case 'optimize_index':
        return this.#expressions.check(statement.index, scope.variables);
      case 'set_context':
      case 'clear_context':
        return this.#checkValues(statement.values, scope);
      case 'call':
        this.#checkProcedure(statement);
        return this.#checkValues(statement.values, scope);
      case 'raise':
        if (!scope.inHandler) {
          throw compileError(
            this.#text,
            statement.offset,
            'PLS-00367: a RAISE statement with no exception name must be inside an exception handler',
          );
        }
        return;
      case 'exit':
      case 'continue':
        return this.#checkLeave(statement, scope);
      case 'while':
        if (statement.condition !== undefined) {
          this.#expressions.checkCondition(statement.condition, scope.variables);
        }
        return this.#checkAll(statement.body, { ...scope, inLoop: true });
      case 'for_range':
        this.#expressions.check(statement.low, scope.variables);
        this.#expressions.check(statement.high, scope.variables);
        return this.#checkAll(
          statement.body,
          this.#loopScope(scope, [[statement.index, PLS_INTEGER]], statement),
        );
      case 'for_query':
        return this.#checkQueryLoop(statement, scope);
      default:
        return;
    }
  }

  #checkValues(values: readonly BlockExpression[], scope: BlockScope): void {
    for (const value of values) {
      this.#expressions.check(value, scope.variables);
    }
  }

  /** PLS-00201: there is no such procedure; PLS-00306: it takes other arguments. */
  #checkProcedure({ procedure, values, offset }: BlockStatement & { kind: 'call' }): void {
    const definition = this.#translator.catalog.procedure(procedure);
    if (definition === undefined) {
      throw compileError(this.#text, offset, `PLS-00201: identifier '${procedure}' must be declared`);
    }
    if (definition.parameters.length !== values.length) {
      const message = `PLS-00306: wrong number or types of arguments in call to '${procedure}'`;
      throw compileError(this.#text, offset, message);
    }
  }

  async #checkBlock(block: Block, outer: BlockScope): Promise<void> {
    const variables = new Map(outer.variables);
    const scope = { ...outer, variables };
    for (const declaration of block.declarations) {
      if (declaration.initial !== undefined) {
        this.#expressions.check(declaration.initial, scope.variables);
      }
      this.#declare(declaration.name, declaration.type, declaration.offset);
      variables.set(declaration.name, declaration.type);
      if (declaration.constant) {
        this.#constants.add(declaration.name);
      }
    }
    await this.#checkAll(block.body, scope);
    for (const handler of block.handlers) {
      await this.#checkAll(handler.body, { ...scope, inHandler: true });
    }
  }

  /** Every name is declared once in the whole block: shadowing is refused. */
  #declare(name: string, type: OracleType, offset: number): void {
    if (this.#types.has(name) || PSEUDO_VARIABLES.has(name)) {
      throw compileError(this.#text, offset, `PLS-00371: at most one declaration for '${name}' is permitted`);
    }
    this.#types.set(name, type);
  }

  #loopScope(
    scope: BlockScope,
    names: readonly (readonly [string, OracleType])[],
    statement: BlockStatement,
  ): BlockScope {
    const variables = new Map(scope.variables);
    for (const [name, type] of names) {
      this.#declare(name, type, statement.offset);
      this.#constants.add(name);
      variables.set(name, type);
    }
    return { ...scope, variables, inLoop: true };
  }

  async #checkQueryLoop(statement: BlockStatement & { kind: 'for_query' }, scope: BlockScope): Promise<void> {
    const query = this.#translate(statement.query, scope);
    if (query.into.length > 0) {
      throw compileError(
        this.#text,
        statement.query.offset,
        'PLS-00103: INTO is not allowed in a cursor query',
      );
    }
    const types = await this.#runner.columnTypes(query);
    const fields = types.map(
      (type, index) => [`${statement.record}$${query.columns[index]?.name ?? ''}`, type] as const,
    );
    await this.#checkAll(statement.body, this.#loopScope(scope, fields, statement));
  }

  #checkLeave(statement: BlockStatement & { kind: 'exit' | 'continue' }, scope: BlockScope): void {
    if (!scope.inLoop) {
      const message = `PLS-00376: illegal ${statement.kind.toUpperCase()}/CONTINUE statement; it must appear inside a loop`;
      throw compileError(this.#text, statement.offset, message);
    }
    if (statement.when !== undefined) {
      this.#expressions.checkCondition(statement.when, scope.variables);
    }
  }

  #checkTarget(statement: BlockStatement & { kind: 'assign' }, scope: BlockScope): void {
    const { source, name } = statement.target;
    if (source === 'bind') {
      return;
    }
    if (!scope.variables.has(name)) {
      throw compileError(this.#text, statement.offset, `PLS-00201: identifier '${name}' must be declared`);
    }
    if (this.#constants.has(name)) {
      throw compileError(
        this.#text,
        statement.offset,
        `PLS-00363: expression '${name}' cannot be used as an assignment target`,
      );
    }
  }

  #checkSql(sql: EmbeddedSql, scope: BlockScope): void {
    const statement = this.#translate(sql, scope);
    if (statement.kind === 'query' && statement.into.length === 0) {
      throw compileError(
        this.#text,
        sql.offset,
        'PLS-00428: an INTO clause is expected in this SELECT statement',
      );
    }
    for (const target of statement.into) {
      if (
        target.target === 'variable' &&
        (!scope.variables.has(target.name) || this.#constants.has(target.name))
      ) {
        throw compileError(this.#text, sql.offset, `PLS-00201: identifier '${target.name}' must be declared`);
      }
    }
  }

  #translate(sql: EmbeddedSql, scope: BlockScope): TranslatedStatement {
    this.#refuseColumnNames(sql, scope);
    try {
      const statement = this.#translator.translate(sql.text, this.#binds, scope.variables);
      this.#statements.set(sql, statement);
      return statement;
    } catch (error) {
      throw error instanceof OracleError ? wrapCompileError(this.#text, sql.offset, error, 'sql') : error;
    }
  }

  /**
   * In SQL inside a block a column wins over a variable of the same name, silently. Oracle accepts that; here it is
   * refused, because the statement would not mean what it says.
   */
  #refuseColumnNames(sql: EmbeddedSql, scope: BlockScope): void {
    for (const token of tokenize(sql.text)) {
      const table = token.kind === 'word' ? this.#translator.catalog.table(token.value) : undefined;
      const column = table?.columns.find(({ name }) => scope.variables.has(name));
      if (table !== undefined && column !== undefined) {
        throw compileError(
          this.#text,
          sql.offset,
          `PLS-00371: variable '${column.name}' has the name of a column of ${table.name}; the emulator refuses it`,
        );
      }
    }
  }
}

interface BlockScope {
  readonly variables: ReadonlyMap<string, OracleType>;
  readonly inLoop: boolean;
  readonly inHandler: boolean;
}
