interface NamedText {
  readonly name: string;
  readonly sql: string;
}

/**
 * Few texts that together hold every piece that all of them hold, and at least one of each name: what there is to read
 * when many texts are made of the same parts. Pieces that differ only in a number, in whose id it is (user, agent or thread)
 * or in the filter of a request count as one.
 */
export function representativeTexts<Statement extends NamedText>(
  statements: readonly Statement[],
): readonly Statement[] {
  const first = [...groupedByName(statements).values()].map(shortestOf);
  return inOrder(statements, [...first, ...furtherTexts(statements, first)]);
}

/** Few of the statements that together hold every piece of theirs that the shown ones do not hold. */
export function furtherTexts<Statement extends NamedText>(
  statements: readonly Statement[],
  shown: readonly NamedText[],
): readonly Statement[] {
  const seen = new Set(shown.flatMap(({ sql }) => [...piecesOf(sql)]));
  const chosen: Statement[] = [];
  for (const group of groupedByName(statements).values()) {
    const candidates = group.map((statement) => ({ statement, pieces: piecesOf(statement.sql) }));
    for (let next = mostNew(candidates, seen); next !== undefined; next = mostNew(candidates, seen)) {
      chosen.push(next.statement);
      for (const piece of next.pieces) seen.add(piece);
    }
  }
  return inOrder(statements, chosen);
}

/** A text and the pieces that it is made of. */
interface Candidate<Statement> {
  readonly statement: Statement;
  readonly pieces: ReadonlySet<string>;
}

function mostNew<Statement>(
  candidates: readonly Candidate<Statement>[],
  seen: ReadonlySet<string>,
): Candidate<Statement> | undefined {
  let best: Candidate<Statement> | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const count = [...candidate.pieces].filter((piece) => !seen.has(piece)).length;
    if (count > most) [best, most] = [candidate, count];
  }
  return best;
}

function piecesOf(sql: string): ReadonlySet<string> {
  const shape = sql
    .replaceAll(/\(?(?:NOT )?\(?JSON_EXISTS\(\w+\.metadata.*/g, 'metadata filter')
    .replaceAll(/\d+/g, 'n')
    .replaceAll(/(?<![a-z])(?:user|agent|thread)(?=_(?:id|effect|source)\b)/g, 'owner')
    .replaceAll(/(?<=scope_)(?:user|agent|thread)\b/g, 'owner');
  return new Set(shape.split(/[\n,()]| (?:AND|OR|THEN|ELSE|AS|\*) /).map((piece) => piece.trim()));
}

function groupedByName<Statement extends NamedText>(
  statements: readonly Statement[],
): ReadonlyMap<string, readonly [Statement, ...Statement[]]> {
  const groups = new Map<string, [Statement, ...Statement[]]>();
  for (const statement of statements) {
    const group = groups.get(statement.name);
    if (group === undefined) groups.set(statement.name, [statement]);
    else group.push(statement);
  }
  return groups;
}

function shortestOf<Statement extends NamedText>(group: readonly [Statement, ...Statement[]]): Statement {
  return group.reduce((one, other) => (other.sql.length < one.sql.length ? other : one));
}

function inOrder<Statement>(
  statements: readonly Statement[],
  chosen: readonly Statement[],
): readonly Statement[] {
  const wanted = new Set(chosen);
  return statements.filter((statement) => wanted.has(statement));
}
