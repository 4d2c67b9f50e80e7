import { OracleError } from './oracle-error.ts';

/** PostgreSQL recurses over the tree of a statement, and PGlite does not survive the end of its stack. */
const MAXIMUM_DEPTH = 1_000;

/** ORA-03001 when a syntax tree has more than 1,000 levels of nodes, also of one long chain of operators. */
export function checkNesting(tree: object): void {
  const open: (readonly [object, number])[] = [[tree, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, outer] = next;
    const depth = outer + ('kind' in node ? 1 : 0);
    if (depth > MAXIMUM_DEPTH) {
      throw nestedTooDeeply();
    }
    for (const value of Object.values(node)) {
      if (typeof value === 'object' && value !== null) {
        open.push([value, depth]);
      }
    }
  }
}

/** Runs work that recurses over a text or tree. ORA-03001 where it reaches the end of the stack. */
export function refuseDeepNesting<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply(error) : error;
  }
}

function nestedTooDeeply(cause?: RangeError): OracleError {
  return new OracleError(3001, 'unimplemented feature: the statement is nested too deeply for the emulator', {
    cause,
  });
}
