import type { MemoryRecord } from '../../schemas/record.ts';
import type { ExtractedMemory } from './extraction-answer.ts';

/** The same statement in another spelling of case, white space or closing punctuation. */
function normalizeStatement(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s\p{P}]+$/u, '')
    .trim();
}

/**
 * Leaves out what says the same as a past memory or as an earlier item of the same answer: an echo is not stored
 * again. What a left-out item would supersede stays.
 */
export function keepDistinctMemories(
  memories: readonly ExtractedMemory[],
  pastMemories: readonly MemoryRecord[],
): readonly ExtractedMemory[] {
  const seen = new Set(pastMemories.map((memory) => normalizeStatement(memory.content ?? '')));
  return memories.filter(({ content }) => {
    const statement = normalizeStatement(content);
    if (seen.has(statement)) return false;
    seen.add(statement);
    return true;
  });
}
