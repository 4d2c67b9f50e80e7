import type { Binds } from '../../sql/bind.ts';

/** Conditions that must all hold, and what they bind. */
export interface SqlConditions {
  readonly conditions: readonly string[];
  readonly binds: Binds;
}

export const NO_CONDITIONS: SqlConditions = { conditions: [], binds: {} };

export function allOf(...parts: readonly SqlConditions[]): SqlConditions {
  return {
    conditions: parts.flatMap(({ conditions }) => conditions),
    binds: Object.assign({}, ...parts.map(({ binds }) => binds)),
  };
}
