import { expect } from 'vitest';
import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { isProfileType } from '../../lib/schemas/record.ts';
import { expectError } from '../conformance/memory-stage.ts';
import type { Owners } from './evaluate-search-scope.ts';
import { MEMORIES, RECORDS, THREADS } from './scope-stage.ts';

type Wanted = Partial<Owners>;
const FIELDS = ['userId', 'agentId', 'threadId'] as const;
/** An id of the stage, and one that the ids of the stage begin with. */
const IDS: Readonly<Record<keyof Owners, readonly string[]>> = {
  userId: ['user', 'use'],
  agentId: ['agent', 'agen'],
  threadId: ['thread', 'threa'],
};

/** A list of the API and what it must show. */
export interface ScopedList {
  readonly name: string;
  /** The owners that it can be asked for. */
  readonly fields: readonly (keyof Owners)[];
  /** Whether null asks for what has no owner; elsewhere it is refused by name. */
  readonly takesNull: boolean;
  expected(wanted: Wanted): readonly string[];
  read(memory: AgentMemory, options: object): Promise<readonly string[]>;
}

const isWanted = (owners: Owners, wanted: Wanted) =>
  FIELDS.every((field) => wanted[field] === undefined || wanted[field] === owners[field]);
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const threadIdsOf = (items: readonly { readonly threadId: string | null }[]) =>
  items.map(({ threadId }) => threadId ?? '');

const STAGED_TYPES = ['message', 'memory', 'fact', 'user_profile', 'agent_profile'] as const;

/** Every list that takes owners: records of each type (profiles have none), memories, threads, jobs. */
export const SCOPED_LISTS: readonly ScopedList[] = [
  ...STAGED_TYPES.map(
    (recordType): ScopedList => ({
      name: `records.list of ${recordType}`,
      fields: FIELDS,
      takesNull: true,
      expected: (wanted) =>
        idsOf(
          RECORDS.filter(
            (record) =>
              record.recordType === recordType && (isProfileType(recordType) || isWanted(record, wanted)),
          ),
        ),
      read: async ({ records }, options) => idsOf((await records.list({ recordType, ...options })).items),
    }),
  ),
  {
    name: 'listMemories',
    fields: FIELDS,
    takesNull: false,
    expected: (wanted) => idsOf(MEMORIES.filter((record) => isWanted(record, wanted))),
    read: async (memory, options) => idsOf((await memory.listMemories(options)).items),
  },
  {
    name: 'listThreads',
    fields: ['userId', 'agentId'],
    takesNull: false,
    expected: (wanted) => threadIdsOf(THREADS.filter((thread) => isWanted(thread, wanted)).toReversed()),
    read: async (memory, options) => threadIdsOf((await memory.listThreads(options)).items),
  },
  {
    name: 'listJobs',
    fields: ['threadId'],
    takesNull: false,
    expected: (wanted) =>
      threadIdsOf(
        RECORDS.filter((record) => record.recordType === 'message' && isWanted(record, wanted)).toReversed(),
      ),
    read: async (memory, options) => threadIdsOf((await memory.listJobs(options)).items),
  },
];

/** Every combination of these fields, each omitted, an id of the stage, one that nothing has, or null. */
function conditionsOf(fields: readonly (keyof Owners)[]): readonly Wanted[] {
  return fields.reduce<readonly Wanted[]>(
    (wanted, field) =>
      wanted.flatMap((each) => [
        each,
        ...[...IDS[field], null].map((value) => ({ ...each, [field]: value })),
      ]),
    [{}],
  );
}

/**
 * Asks a list for every combination of owners and compares with the stage, record by record and in order; returns how
 * many there were. A flag belongs to a search: a list refuses it by name.
 */
export async function checkScopedList(memory: AgentMemory, list: ScopedList): Promise<number> {
  const conditions = conditionsOf(list.fields);
  for (const wanted of conditions) {
    const refused = list.takesNull ? undefined : list.fields.find((field) => wanted[field] === null);
    if (refused === undefined)
      expect(await list.read(memory, wanted), JSON.stringify(wanted)).toEqual(list.expected(wanted));
    else await expectError(list.read(memory, wanted), 'invalid_request', refused);
    for (const exactUserMatch of [true, false])
      await expectError(
        list.read(memory, { ...wanted, exactUserMatch }),
        'invalid_request',
        'exactUserMatch',
      );
  }
  return conditions.length;
}
