/** Whose an item is; null where a namespace does not say. */
export interface ItemScope {
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly threadId: string | null;
}

/** Reads `['users', 'ana', 'notes']` as user `ana`; `agents` and `threads` alike, in any order. */
export function scopeOf(namespace: readonly string[]): ItemScope {
  const after = (label: string): string | null => {
    const place = namespace.indexOf(label);
    return place < 0 ? null : (namespace[place + 1] ?? null);
  };
  return { userId: after('users'), agentId: after('agents'), threadId: after('threads') };
}
