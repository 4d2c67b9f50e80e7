import { OracleError } from '../../sql/oracle-error.ts';
import type { Expression } from '../../sql/syntax-tree.ts';
import type { StatementTranslator, TypesByName } from '../statement-translator.ts';
import { type BlockExpression, PSEUDO_VARIABLES } from './block-syntax.ts';
import { compileError, wrapCompileError } from './compile-error.ts';
import type { ExpressionQuery } from './compiled-block.ts';
import { foldExpression } from './fold-expression.ts';

const VALUE_START = 'SELECT ';
const CONDITION_START = 'SELECT CASE WHEN ';
const CONDITIONS: ReadonlySet<Expression['kind']> = new Set<Expression['kind']>([
  'logical',
  'not',
  'comparison',
  'between',
  'like',
  'in',
  'is_null',
  'is_boolean',
  'is_json',
]);

/** Checks the names of expressions by translating each to a query, which also evaluates what cannot be folded. */
export class ExpressionChecker {
  readonly #text: string;
  readonly #binds: TypesByName;
  readonly #translator: StatementTranslator;
  readonly queries = new Map<BlockExpression, ExpressionQuery>();

  constructor(text: string, binds: TypesByName, translator: StatementTranslator) {
    this.#text = text;
    this.#binds = binds;
    this.#translator = translator;
  }

  check(expression: BlockExpression, declared: TypesByName): void {
    const variables = new Map([...PSEUDO_VARIABLES, ...declared]);
    if (isTrivial(expression, variables)) {
      return;
    }
    const isCondition = CONDITIONS.has(expression.tree.kind) || isJsonCondition(expression.tree);
    const start = isCondition ? CONDITION_START : VALUE_START;
    const { text } = expression;
    const query = isCondition
      ? `${start}${text} THEN 1 WHEN NOT (${text}) THEN 0 END AS value FROM dual`
      : `${start}${text} AS value FROM dual`;
    try {
      const statement = this.#translator.translate(query, this.#binds, variables);
      this.queries.set(expression, { statement, isCondition });
    } catch (error) {
      throw error instanceof OracleError ? this.#located(error, expression, start.length) : error;
    }
  }

  /** As `check`, for what IF, WHILE and WHEN take. PLS-00382: the expression is no condition. */
  checkCondition(expression: BlockExpression, declared: TypesByName): void {
    this.check(expression, declared);
    const type = this.#typeOf(expression, declared);
    if (type !== undefined && type !== 'BOOLEAN') {
      throw compileError(this.#text, expression.offset, 'PLS-00382: expression is of wrong type');
    }
  }

  /** Undefined for NULL and for what only the database can tell. */
  #typeOf(expression: BlockExpression, declared: TypesByName): string | undefined {
    const { tree } = expression;
    const query = this.queries.get(expression);
    if (query !== undefined) {
      return query.isCondition ? 'BOOLEAN' : query.statement.columns[0]?.type?.kind;
    }
    switch (tree.kind) {
      case 'text':
        return 'VARCHAR2';
      case 'number':
      case 'sign':
        return 'NUMBER';
      case 'bind':
        return this.#binds.get(tree.name)?.kind;
      case 'name': {
        const name = tree.path[0]?.name ?? '';
        return (declared.get(name) ?? PSEUDO_VARIABLES.get(name))?.kind;
      }
      default:
        return undefined;
    }
  }

  /** The error as one of the block; its offset counts from the start of the expression. */
  #located(error: OracleError, expression: BlockExpression, prefix: number): OracleError {
    const offset = error.offset === undefined ? undefined : Math.max(0, error.offset - prefix);
    const text = error.message.slice(error.message.indexOf(': ') + 2);
    const moved = new OracleError(error.number, text, { offset, cause: error });
    return wrapCompileError(this.#text, expression.offset, moved, 'expression');
  }
}

function isJsonCondition(tree: Expression): boolean {
  return tree.kind === 'json_path' && tree.function === 'JSON_EXISTS';
}

/** A literal, a bind or a declared variable alone. */
function isTrivial({ tree }: BlockExpression, variables: TypesByName): boolean {
  switch (tree.kind) {
    case 'text':
    case 'null':
    case 'boolean':
    case 'bind':
      return true;
    case 'number':
    case 'sign':
      return foldExpression(tree, { variable: () => undefined, bind: () => undefined }) !== undefined;
    case 'name':
      return tree.path.length === 1 && variables.has(tree.path[0]?.name ?? '');
    default:
      return false;
  }
}
