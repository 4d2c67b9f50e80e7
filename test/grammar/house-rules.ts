import { checked, type HouseRule, type ProductText, type SchemaColumns } from './house-rule.ts';
import * as shape from './shape-house-rules.ts';
import * as value from './value-house-rules.ts';

/** Every rule of this program for its texts, by name. */
export const HOUSE_RULES: Readonly<Record<string, HouseRule>> = { ...value, ...shape };

/** What the rules find wrong with a text, each with the name of its rule. */
export function checkHouseRules(text: ProductText, schema: SchemaColumns): readonly string[] {
  const read = checked(text);
  return Object.entries(HOUSE_RULES).flatMap(([name, rule]) =>
    rule(read, schema).map((finding) => `${name}: ${finding}`),
  );
}
