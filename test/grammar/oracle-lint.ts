import type { LintOptions, Tokens } from './lint-rule.ts';
import { NAME_RULES } from './name-rules.ts';
import { QUERY_RULES } from './query-rules.ts';
import { TYPE_RULES } from './type-rules.ts';

const RULES = [...NAME_RULES, ...TYPE_RULES, ...QUERY_RULES];

/** Rules of Oracle that can be decided from the text and that the grammar does not hold; each error names its number. */
export function lintOracle(tokens: Tokens, options: LintOptions = {}): readonly string[] {
  return RULES.flatMap((rule) => rule(tokens, options));
}
