import { OracleError } from '../../sql/oracle-error.ts';
import type { Expression } from '../../sql/syntax-tree.ts';
import type { StatementTranslator, TypesByName } from '../statement-translator.ts';
import { type BlockExpression, PSEUDO_VARIABLES } from './block-syntax.ts';
import { wrapCompileError } from './compile-error.ts';
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
