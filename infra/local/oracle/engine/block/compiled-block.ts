import type { TranslatedStatement, TypesByName } from '../statement-translator.ts';
import type { Block, BlockExpression, EmbeddedSql } from './block-syntax.ts';

/** The query that evaluates an expression; that of a condition gives 1, 0 or NULL. */
export interface ExpressionQuery {
  readonly statement: TranslatedStatement;
  readonly isCondition: boolean;
}

/** A checked block: every statement translated, every name resolved. */
export interface CompiledBlock {
  readonly text: string;
  readonly block: Block;
  readonly binds: TypesByName;
  /** Types of all variables, loop indexes and loop record fields. */
  readonly types: TypesByName;
  readonly statements: ReadonlyMap<EmbeddedSql, TranslatedStatement>;
  /** How to evaluate each expression that cannot be folded. */
  readonly queries: ReadonlyMap<BlockExpression, ExpressionQuery>;
}
