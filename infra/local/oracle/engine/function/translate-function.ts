import { checkNesting } from '../../sql/nesting.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import { ddl } from '../../translate/ddl.ts';
import { dropFunctions, postgresSignature } from '../../translate/functions/stored-function.ts';
import { quoteName, quoteText } from '../../translate/names.ts';
import type { Translation } from '../../translate/translation.ts';
import { postgresType } from '../../translate/value.ts';
import type { FunctionSyntax } from '../block/block-syntax.ts';
import { compileError } from '../block/compile-error.ts';
import type { Catalog, FunctionDefinition } from '../catalog.ts';
import { ExpressionWriter } from './expression-writer.ts';
import { DEPTH, FunctionScope } from './function-scope.ts';
import { FunctionWriter } from './function-writer.ts';
import { parseCreateFunction } from './parse-create-function.ts';

/**
 * Translates `CREATE FUNCTION` to functions of PostgreSQL: one for the stored function and one for each that is declared
 * in it. Oracle creates a function that does not compile and refuses to call it; here it is refused at once.
 *
 * @throws OracleError ORA-06550 with PL/SQL's message; ORA-03001 for what the emulator lacks
 */
export function translateFunction(text: string, catalog: Catalog): Translation {
  const { syntax, orReplace, ifNotExists } = parseCreateFunction(text);
  checkNesting(syntax);
  const existing = catalog.storedFunction(syntax.name);
  if (ifNotExists && existing !== undefined) {
    return ddl('CREATE FUNCTION', [], []);
  }
  checkName(syntax, orReplace, catalog);
  const compiled = new FunctionCompiler(text, catalog).compile(syntax);
  const removed = existing === undefined ? [] : removedBefore(existing, compiled.definition);
  return ddl(
    'CREATE FUNCTION',
    [...removed, ...compiled.steps],
    [{ kind: 'function', function: compiled.definition }],
  );
}

/** A function that keeps its heading is replaced in place: views may use it. */
function removedBefore(existing: FunctionDefinition, next: FunctionDefinition): readonly string[] {
  const heading = ({ parameters, returns }: FunctionDefinition) => JSON.stringify([parameters, returns]);
  const [outer, ...inner] = dropFunctions(existing);
  return heading(existing) === heading(next) || outer === undefined ? inner : [outer, ...inner];
}

/** ORA-00955. */
function checkName({ name, offset }: FunctionSyntax, orReplace: boolean, catalog: Catalog): void {
  const isOther = catalog.table(name) !== undefined || catalog.sequence(name);
  if (isOther || (catalog.storedFunction(name) !== undefined && !orReplace)) {
    throw new OracleError(955, `name "${name}" is already used by an existing object`, { offset });
  }
}

class FunctionCompiler {
  readonly #text: string;
  readonly #expressions: ExpressionWriter;
  readonly #steps: string[] = [];
  readonly #inner: string[] = [];

  constructor(text: string, catalog: Catalog) {
    this.#text = text;
    this.#expressions = new ExpressionWriter(text, catalog);
  }

  compile(syntax: FunctionSyntax): {
    readonly definition: FunctionDefinition;
    readonly steps: readonly string[];
  } {
    const definition = define(syntax, syntax.name);
    this.#write(syntax, definition, undefined);
    return { definition: { ...definition, inner: this.#inner }, steps: this.#steps };
  }

  #write(syntax: FunctionSyntax, definition: FunctionDefinition, around: FunctionScope | undefined): void {
    if (syntax.block === undefined) {
      throw compileError(this.#text, syntax.offset, 'PLS-00103: Encountered the end when expecting IS or AS');
    }
    const declare = (functions: readonly FunctionSyntax[], scope: FunctionScope) =>
      this.#declare(functions, definition, scope);
    const writer = new FunctionWriter(this.#text, syntax.returns, this.#expressions, declare);
    const body = writer.write(syntax.block, FunctionScope.ofFunction(definition, around));
    const parameters = syntax.parameters.map(({ name, type }) => `${quoteName(name)} ${postgresType(type)}`);
    this.#steps.push(
      `CREATE OR REPLACE FUNCTION ${definition.postgresName}(${[`${DEPTH} integer`, ...parameters].join(', ')})` +
        ` RETURNS ${postgresType(syntax.returns)} LANGUAGE plpgsql` +
        ` ${syntax.deterministic ? 'IMMUTABLE' : 'VOLATILE'} AS ${quoteText(body)}`,
    );
  }

  /** Each function sees those before it, announced ones too, and itself. PLS-00313 is what a call of a later one gives. */
  #declare(
    functions: readonly FunctionSyntax[],
    around: FunctionDefinition,
    scope: FunctionScope,
  ): FunctionScope {
    let visible = scope;
    for (const syntax of functions) {
      const definition = define(syntax, `${innerName(around)}.${syntax.name}`);
      visible = visible.withFunction(definition);
      if (syntax.block !== undefined) {
        this.#inner.push(postgresSignature(definition));
        this.#write(syntax, definition, visible);
      } else if (!functions.some((other) => other.name === syntax.name && other.block !== undefined)) {
        throw compileError(
          this.#text,
          syntax.offset,
          `PLS-00328: A subprogram body must be defined for the forward declaration of ${syntax.name}.`,
        );
      }
    }
    return visible;
  }
}

function innerName({ postgresName }: FunctionDefinition): string {
  return postgresName.slice(1, -1);
}

function define(syntax: FunctionSyntax, postgres: string): FunctionDefinition {
  const { name, parameters, returns, deterministic, parallel } = syntax;
  return { name, parameters, returns, deterministic, parallel, postgresName: quoteName(postgres), inner: [] };
}
