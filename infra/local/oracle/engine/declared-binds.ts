import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { tokenize } from '../sql/tokenizer.ts';
import type { EngineBind } from './oracle-engine.ts';

/** ORA-01008 when the text has a placeholder without a bind, ORA-01036 when a bind has no placeholder. */
export function checkBindNames(text: string, binds: readonly EngineBind[]): void {
  const placeholders = new Map<string, number>();
  for (const token of tokenize(text)) {
    if (token.kind === 'bind') {
      placeholders.set(token.value, token.offset);
    }
  }
  const names = new Set(binds.map((bind) => bind.name));
  for (const [name, offset] of placeholders) {
    if (!names.has(name)) {
      throw new OracleError(1008, `not all variables bound (:${name})`, { offset });
    }
  }
  for (const name of names) {
    if (!placeholders.has(name)) {
      throw new OracleError(1036, `unrecognized bind variable :${name} passed to the bind call`);
    }
  }
}

export function declaredTypes(binds: readonly EngineBind[]): ReadonlyMap<string, OracleType> {
  return new Map(binds.map((bind) => [bind.name, bind.type]));
}
