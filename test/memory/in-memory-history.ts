import { type MemoryForm, memoryFormSchema } from '../../lib/schemas/memory-history.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';

/** Earlier forms of memories, for a store over maps. */
export interface InMemoryHistory {
  keep(record: MemoryRecord, replaced: Pick<MemoryForm, 'operation' | 'callerId' | 'replacedAt'>): void;
  /** Forgets the forms of memories that are gone. */
  readonly list: MemoryStore['listHistory'];
}

export function createInMemoryHistory(find: (memoryId: string) => MemoryRecord | undefined): InMemoryHistory {
  const kept: { readonly memoryId: string; readonly createdAt: string; readonly form: MemoryForm }[] = [];
  return {
    keep({ id, recordType, createdAt, ...record }, replaced) {
      const timestamp = record.timestamp === createdAt ? null : record.timestamp;
      const form = { ...record, ...replaced, memoryType: recordType, timestamp, requestId: null };
      kept.push({ memoryId: id, createdAt, form: memoryFormSchema.parse(form) });
    },
    async list({ memoryId, before = Number.POSITIVE_INFINITY, limit }) {
      const record = find(memoryId);
      if (record === undefined) return undefined;
      const forms = kept
        .map(({ form, ...of }, position) => ({ form, position, of }))
        .filter(({ of, position }) => of.memoryId === memoryId && position < before)
        .filter(({ of }) => of.createdAt === record.createdAt)
        .map(({ form, position }) => ({ form, position }))
        .toReversed();
      return { forms: forms.slice(0, limit), more: forms.length > limit };
    },
  };
}
