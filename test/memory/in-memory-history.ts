import { type MemoryForm, memoryFormSchema } from '../../lib/schemas/memory-history.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';

/** Earlier forms of memories, for a store over maps. */
export interface InMemoryHistory {
  keep(record: MemoryRecord, replaced: Pick<MemoryForm, 'operation' | 'callerId' | 'replacedAt'>): void;
  readonly list: MemoryStore['listHistory'];
}

/**
 * Forms are those of one memory, not of a later one with its id.
 *
 * @param positionOf Where a memory is in the order of insertion; undefined when there is none
 */
export function createInMemoryHistory(positionOf: (memoryId: string) => number | undefined): InMemoryHistory {
  const kept: { readonly of: number | undefined; readonly form: MemoryForm }[] = [];
  return {
    keep({ id, recordType, createdAt, ...record }, replaced) {
      const timestamp = record.timestamp === createdAt ? null : record.timestamp;
      const form = { ...record, ...replaced, memoryType: recordType, timestamp, requestId: null };
      kept.push({ of: positionOf(id), form: memoryFormSchema.parse(form) });
    },
    async list({ memoryId, before = Number.POSITIVE_INFINITY, limit }) {
      const wanted = positionOf(memoryId);
      if (wanted === undefined) return undefined;
      const forms = kept
        .map(({ of, form }, position) => ({ of, form, position }))
        .filter(({ of, position }) => of === wanted && position < before)
        .map(({ form, position }) => ({ form, position }))
        .toReversed();
      return { forms: forms.slice(0, limit), more: forms.length > limit };
    },
  };
}
