/** Which records of `scored` go on. */
export interface FirstRecords {
  /** Columns of `scored` that go on, beside the three that name a record and its type. */
  readonly columns: readonly string[];
  /** What must hold of a record `d`; everything goes on when absent. */
  readonly condition: string | undefined;
  /** What is small comes first, ties by id. */
  readonly distance: string;
  /** As many of each type, so that every minimum by type can be filled. */
  readonly byType: boolean;
}

/** `candidate`: the first `:candidate_total` records of `scored`. */
export function firstRecords({ columns, condition, distance, byType }: FirstRecords): string {
  const all = ['record_family', 'record_id', 'record_type', ...columns];
  const of = (alias: string) => all.map((column) => `${alias}.${column}`).join(', ');
  const from = `FROM scored d${condition === undefined ? '' : `\n  WHERE ${condition}`}`;
  const order = `${distance}, d.record_id, d.record_family`;
  if (!byType) {
    return `candidate AS (
  SELECT ${of('d')}
  ${from}
  ORDER BY ${order}
  FETCH FIRST :candidate_total ROWS ONLY)`;
  }
  return `candidate AS (
  SELECT ${of('a')}
  FROM (SELECT ${of('d')}, ROW_NUMBER() OVER (PARTITION BY d.record_type ORDER BY ${order}) AS type_place
  ${from}) a
  WHERE a.type_place <= :candidate_total)`;
}
