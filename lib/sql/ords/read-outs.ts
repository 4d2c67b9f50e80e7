import { statementFault } from '../statement-fault.ts';
import type { OrdsStatement } from './ords-wire.ts';

/** The out binds of a statement as numbers. @throws AgentMemoryError `internal` when one is no row count */
export function readOuts(
  statement: OrdsStatement,
  outOf: (name: string) => unknown,
): Readonly<Record<string, number>> {
  const outs: Record<string, number> = {};
  for (const name of statement.outs) {
    const value = Number(outOf(name) ?? Number.NaN);
    if (!Number.isSafeInteger(value)) throw statementFault(statement.name, `out bind ${name} has no number`);
    outs[name] = value;
  }
  return outs;
}
