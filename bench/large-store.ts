import type { AgentMemory } from '../lib/memory/agent-memory.ts';
import type { Embedder } from '../lib/models/embedder.ts';
import type { JsonObject } from '../lib/schemas/metadata.ts';

/** Records that the caller of the scoped searches owns, and messages of one thread. */
export const OWNED = 500;
export const OWNER = 'owner';
/** Records of each size that a filter for it finds. */
export const MARKED = 5;
export const WORDS =
  'garden train invoice violin harbour recipe passport telescope bicycle novel lantern orchard ferry museum kettle'.split(
    ' ',
  );
const BATCH = 1_000;

/** Every record holds a number of its own, two words that a fifteenth share, and words that all share. */
function sentence(index: number): string {
  const [one, other] = [index, index * 7 + 3].map((number) => WORDS[number % WORDS.length]);
  return `On day ${index} I noted the ${one} beside the ${other}, entry ${(index * 2_654_435_761) % 99_991}.`;
}

/**
 * Adds messages until there are `size` of them, in threads of 500 with a user each: the first thread is the owner's. Five
 * of the new ones carry the size as metadata.
 */
export async function fillTo(
  memory: AgentMemory,
  embedder: Embedder,
  stored: number,
  size: number,
): Promise<void> {
  const marks = new Set(
    Array.from({ length: MARKED }, (_, index) => stored + Math.floor(((size - stored) / MARKED) * index)),
  );
  for (let first = stored; first < size; first += BATCH) {
    const indexes = Array.from({ length: BATCH }, (_, index) => first + index);
    const contents = indexes.map(sentence);
    for (const index of indexes.filter((each) => each % OWNED === 0)) {
      await memory.createThread({
        threadId: threadOf(index),
        userId: index < OWNED ? OWNER : `user of ${threadOf(index)}`,
        extraction: { extractMemories: false },
      });
    }
    await memory.records.add({
      recordType: 'message',
      contents,
      recordIds: indexes.map((index) => `message ${index}`),
      threadIds: indexes.map(threadOf),
      roles: 'user',
      metadata: indexes.map((index): JsonObject => (marks.has(index) ? { size } : {})),
      embeddings: (await embedder.embed({ texts: contents, purpose: 'document' })).map((each) => [...each]),
    });
  }
}

function threadOf(index: number): string {
  return `thread ${Math.floor(index / OWNED)}`;
}
