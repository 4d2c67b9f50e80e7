import type { OracleType } from '../sql/oracle-type.ts';
import { isNumeric, isPlsqlJson, isText, isTime } from './value.ts';

/**
 * Whether PL/SQL takes a value of one type where another one is declared: numbers and texts convert into each other, times
 * into each other, and everything else needs its own type or a subtype of it. Text as a time would depend on the formats
 * of a session and is refused.
 */
export function isAssignable(source: OracleType, target: OracleType): boolean {
  if (isPlsqlJson(target)) {
    return source.kind === target.kind || (target.kind === 'JSON_ELEMENT_T' && isJsonInMemory(source));
  }
  const isScalar = (type: OracleType) => isText(type) || isNumeric(type);
  return (
    source.kind === target.kind ||
    (isScalar(source) && isScalar(target)) ||
    (isTime(source) && isTime(target))
  );
}

function isJsonInMemory(type: OracleType): boolean {
  return isPlsqlJson(type) && type.kind !== 'JSON_KEY_LIST';
}
