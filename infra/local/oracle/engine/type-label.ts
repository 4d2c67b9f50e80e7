import type { OracleType } from '../sql/oracle-type.ts';

/** The name of a type as result metadata gives it, without length or precision. */
export function typeLabel(type: OracleType): string {
  if (type.kind === 'TIMESTAMP') {
    return type.timeZone ? 'TIMESTAMP WITH TIME ZONE' : 'TIMESTAMP';
  }
  return type.kind === 'INTERVAL' ? 'INTERVAL DAY TO SECOND' : type.kind;
}
