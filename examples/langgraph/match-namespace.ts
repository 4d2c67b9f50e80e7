import type { ListNamespacesOperation } from '@langchain/langgraph';

type MatchCondition = NonNullable<ListNamespacesOperation['matchConditions']>[number];

/** Whether a namespace begins and ends as every condition asks; `*` stands for one part of it, whatever it is. */
export function matchesAll(namespace: readonly string[], conditions: readonly MatchCondition[]): boolean {
  return conditions.every(({ matchType, path }) => {
    if (path.length > namespace.length) return false;
    const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
    return path.every((part, index) => part === '*' || part === namespace[start + index]);
  });
}
