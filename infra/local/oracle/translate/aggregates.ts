const AGGREGATES: ReadonlySet<string> = new Set([
  'AVG',
  'COUNT',
  'LISTAGG',
  'MAX',
  'MEDIAN',
  'MIN',
  'STDDEV',
  'STDDEV_POP',
  'STDDEV_SAMP',
  'SUM',
  'VARIANCE',
  'VAR_POP',
  'VAR_SAMP',
]);

/** True for the name of an aggregate function. */
export function isAggregate(name: string): boolean {
  return AGGREGATES.has(name);
}

/** True when an aggregate function of this query block stands in the expression. */
export function containsAggregate(node: unknown): boolean {
  if (Array.isArray(node)) {
    return node.some(containsAggregate);
  }
  if (typeof node !== 'object' || node === null) {
    return false;
  }
  if ('kind' in node) {
    if (node.kind === 'subquery' || node.kind === 'exists' || node.kind === 'query') {
      return false;
    }
    if (
      node.kind === 'call' &&
      'name' in node &&
      typeof node.name === 'string' &&
      AGGREGATES.has(node.name)
    ) {
      return !('window' in node) || node.window === undefined || Object.values(node).some(containsAggregate);
    }
    if (
      node.kind === 'json_build' &&
      'function' in node &&
      (node.function === 'JSON_OBJECTAGG' || node.function === 'JSON_ARRAYAGG')
    ) {
      return true;
    }
  }
  return Object.values(node).some(containsAggregate);
}
