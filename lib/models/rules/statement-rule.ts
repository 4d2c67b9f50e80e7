import type { StatementType } from './statement.ts';

/** One kind of statement about the user and the pattern of the words that make it. */
export interface StatementRule {
  readonly slot: string;
  readonly type: StatementType;
  readonly importance: number;
  readonly isSingleValued: boolean;
  /** May name the value `object` and a part of the slot `what`. */
  readonly pattern: RegExp;
}

type RuleFlags = Partial<Pick<StatementRule, 'type' | 'importance' | 'isSingleValued'>>;

/** A rule for a fact of middling importance whose slot holds many values, unless the flags say otherwise. */
export function rule(slot: string, pattern: RegExp, flags: RuleFlags = {}): StatementRule {
  return { slot, pattern, type: 'fact', importance: 3, isSingleValued: false, ...flags };
}
