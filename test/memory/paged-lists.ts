import type { AgentMemory } from '../../lib/memory/agent-memory.ts';

/** One page of ids. */
export interface IdPage {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
}

/** A list of the API, and how its items come and go. */
export interface PagedList {
  readonly name: string;
  readonly order: 'oldest first' | 'newest first';
  add(memory: AgentMemory, id: string): Promise<unknown>;
  remove(memory: AgentMemory, id: string): Promise<unknown>;
  page(memory: AgentMemory, limit: number, cursor: string | undefined): Promise<IdPage>;
}

const OWNERS = { userId: 'paged', agentId: 'paged' };
/** Holds the messages of the list of messages. */
const MESSAGE_THREAD = 'paged messages';

interface Items<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

function idPage<Item>({ items, nextCursor }: Items<Item>, idOf: (item: Item) => string): IdPage {
  return { ids: items.map(idOf), nextCursor };
}

const ofRecord = ({ id }: { readonly id: string }) => id;
const ofThread = ({ threadId }: { readonly threadId: string }) => threadId;

/** Prepares what the lists need. */
export async function preparePagedLists(memory: AgentMemory): Promise<void> {
  await memory.createThread({ threadId: MESSAGE_THREAD, extraction: { extractMemories: false } });
}

/** Every paged list of the API. A job comes with a thread of its own and goes with it. */
export const PAGED_LISTS: readonly PagedList[] = [
  {
    name: 'listThreads',
    order: 'newest first',
    add: (memory, threadId) => memory.createThread({ ...OWNERS, threadId }),
    remove: (memory, threadId) => memory.deleteThread(threadId),
    page: async (memory, limit, cursor) =>
      idPage(await memory.listThreads({ ...OWNERS, limit, cursor }), ofThread),
  },
  {
    name: 'listMemories',
    order: 'oldest first',
    add: (memory, memoryId) => memory.addMemory(memoryId, { ...OWNERS, memoryId }),
    remove: (memory, memoryId) => memory.deleteMemory(memoryId),
    page: async (memory, limit, cursor) =>
      idPage(await memory.listMemories({ ...OWNERS, limit, cursor }), ofRecord),
  },
  {
    name: 'records.list of facts by metadata',
    order: 'oldest first',
    add: ({ records }, id) =>
      records.add({ recordType: 'fact', contents: [id], recordIds: id, metadata: { paged: true } }),
    remove: ({ records }, id) => records.delete('fact', id),
    page: async ({ records }, limit, cursor) =>
      idPage(
        await records.list({ recordType: 'fact', metadataFilter: { paged: true }, limit, cursor }),
        ofRecord,
      ),
  },
  {
    name: 'records.list of messages',
    order: 'oldest first',
    add: async (memory, id) =>
      (await memory.getThread(MESSAGE_THREAD)).addMessages([{ id, role: 'user', content: id }]),
    remove: ({ records }, id) => records.delete('message', id),
    page: async ({ records }, limit, cursor) =>
      idPage(
        await records.list({ recordType: 'message', threadId: MESSAGE_THREAD, limit, cursor }),
        ofRecord,
      ),
  },
  {
    name: 'listUsers',
    order: 'oldest first',
    add: (memory, id) => memory.addUser(id, id),
    remove: (memory, id) => memory.deleteUser(id),
    page: async (memory, limit, cursor) => idPage(await memory.listUsers({ limit, cursor }), ofRecord),
  },
  {
    name: 'listAgents',
    order: 'oldest first',
    add: (memory, id) => memory.addAgent(id, id),
    remove: (memory, id) => memory.deleteAgent(id),
    page: async (memory, limit, cursor) => idPage(await memory.listAgents({ limit, cursor }), ofRecord),
  },
  {
    name: 'listJobs',
    order: 'newest first',
    add: async (memory, threadId) =>
      (await memory.createThread({ threadId })).addMessages([{ role: 'user', content: 'Good morning.' }]),
    remove: (memory, threadId) => memory.deleteThread(threadId),
    page: async (memory, limit, cursor) => idPage(await memory.listJobs({ limit, cursor }), ofThread),
  },
];
