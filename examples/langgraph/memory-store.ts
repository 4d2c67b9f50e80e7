import { createHash } from 'node:crypto';
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchOperation,
} from '@langchain/langgraph';
import { type AgentMemoryApi, AgentMemoryError, type MemoryRecord } from '../../lib/client/index.ts';
import { itemFilter, metadataOf, readItem } from './item-metadata.ts';
import { itemText } from './item-text.ts';
import { matchesAll } from './match-namespace.ts';
import { scopeOf } from './namespace-scope.ts';

/** An item that was found; a higher score is nearer. */
interface FoundItem extends Item {
  score?: number;
}

/** Items of one answer, at most: one search of the service finds no more. */
const MOST_RESULTS = 1_000;

/**
 * The store of a LangGraph graph in the memory service: an item is a memory whose text is that of its value, so that it is
 * found by meaning and shows in context cards. `users`, `agents` and `threads` in a namespace, each before an id, say
 * whose the item is: deleting that user or thread deletes it.
 */
export class AgentMemoryStore extends BaseStore {
  readonly #memory: AgentMemoryApi;

  constructor(memory: AgentMemoryApi) {
    super();
    this.#memory = memory;
  }

  /** Runs the operations one after the other, so that each sees what those before it wrote. */
  override batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  override async batch(operations: readonly Operation[]): Promise<unknown> {
    const results: unknown[] = [];
    for (const operation of operations) results.push(await this.#run(operation));
    return results;
  }

  #run(operation: Operation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation);
    if ('value' in operation) return this.#put(operation);
    if ('key' in operation) return this.#get(operation);
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    try {
      return toItem(await this.#memory.records.get('memory', recordId(namespace, key)));
    } catch (error) {
      if (AgentMemoryError.is(error) && error.code === 'not_found') return null;
      throw error;
    }
  }

  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const { records } = this.#memory;
    const id = recordId(namespace, key);
    if (value === null) return void (await records.delete('memory', id));
    const metadata = metadataOf(namespace, key, value);
    const content = itemText(value);
    const indexText = index === undefined ? content : index === false ? '' : itemText(value, index);
    if ((await records.update('memory', id, { content, indexText, metadata })) > 0) return;
    const { userId, agentId, threadId } = scopeOf(namespace);
    await records.add({
      ...{ recordType: 'memory', recordIds: id, contents: [content], indexTexts: [indexText], metadata },
      ...{ userIds: userId, agentIds: agentId, threadIds: threadId },
    });
  }

  async #search(operation: SearchOperation): Promise<readonly FoundItem[]> {
    const { namespacePrefix, query, filter, limit = 10, offset = 0 } = operation;
    const { userId, agentId, threadId } = scopeOf(namespacePrefix);
    const metadataFilter = itemFilter(namespacePrefix, filter);
    if (query === undefined) {
      const owner = {
        userId: userId ?? undefined,
        agentId: agentId ?? undefined,
        threadId: threadId ?? undefined,
      };
      const items: FoundItem[] = [];
      let place = 0;
      for await (const record of this.#memory.records.iterate({
        recordType: 'memory',
        metadataFilter,
        ...owner,
      })) {
        if (items.length >= limit) break;
        if (place >= offset) items.push(toItem(record));
        place += 1;
      }
      return items;
    }
    const found = await this.#memory.records.search({
      ...{ query, metadataFilter, recordTypes: ['memory'], k: Math.min(limit + offset, MOST_RESULTS) },
      ...(userId !== null && { userId, exactUserMatch: true }),
      ...(agentId !== null && { agentId, exactAgentMatch: true }),
      ...(threadId !== null && { threadId, exactThreadMatch: true }),
    });
    return found.slice(offset).map(({ record, distance }) => ({ ...toItem(record), score: 1 - distance }));
  }

  /** Reads every item: the service lists no namespaces. */
  async #listNamespaces(operation: ListNamespacesOperation): Promise<readonly (readonly string[])[]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const found = new Map<string, readonly string[]>();
    const items = this.#memory.records.iterate({ recordType: 'memory', metadataFilter: itemFilter([]) });
    for await (const record of items) {
      const { namespace } = toItem(record);
      if (!matchesAll(namespace, matchConditions)) continue;
      const shown = namespace.slice(0, maxDepth);
      found.set(JSON.stringify(shown), shown);
    }
    return [...found.values()].toSorted(byName).slice(offset, offset + limit);
  }
}

/** The id of an item: the same for the same namespace and key, whatever they contain. */
function recordId(namespace: readonly string[], key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([namespace, key]))
    .digest('hex');
  return `langgraph-${digest}`;
}

function toItem(record: MemoryRecord): Item {
  const { namespace, key, value } = readItem(record.metadata);
  const { createdAt, updatedAt } = record;
  return { namespace, key, value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

function byName(one: readonly string[], other: readonly string[]): number {
  return one.join('\n') < other.join('\n') ? -1 : 1;
}
