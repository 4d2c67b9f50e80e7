import type { Identifier } from '../sql/syntax-tree.ts';

/** Every column name in a piece of syntax tree, also those in its subqueries. */
export function namesIn(node: unknown): readonly (readonly Identifier[])[] {
  if (Array.isArray(node)) {
    return node.flatMap(namesIn);
  }
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  if ('kind' in node && node.kind === 'name' && 'path' in node && isPath(node.path)) {
    return [node.path];
  }
  return Object.values(node).flatMap(namesIn);
}

function isPath(value: unknown): value is readonly Identifier[] {
  return (
    Array.isArray(value) && value.every((part) => typeof part === 'object' && part !== null && 'name' in part)
  );
}
