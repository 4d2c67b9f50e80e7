import type { MemoryRecord } from '../../schemas/record.ts';
import type { Chunk } from '../../store/memory-store.ts';
import type { MemoryContext } from '../memory-context.ts';
import { createRetrievalRows } from '../retrieval-rows.ts';
import type { ExtractedMemory } from './extraction-answer.ts';
import { hasSameWords, isSameStatement, normalizeStatement } from './same-statement.ts';

/** A memory that is not known yet, with its retrieval rows. */
export interface NewMemory {
  readonly memory: ExtractedMemory;
  readonly chunks: readonly Chunk[];
}

interface EmbeddedStatement {
  readonly type: string;
  readonly content: string;
  readonly embedding: Float32Array | null;
}

/** Leaves out what another memory says in the same words, whatever its type. */
function withoutEchoes(
  memories: readonly ExtractedMemory[],
  pastMemories: readonly MemoryRecord[],
): readonly ExtractedMemory[] {
  const seen = new Set(pastMemories.map(({ content }) => normalizeStatement(content ?? '')));
  return memories.filter(({ content }) => {
    const statement = normalizeStatement(content);
    if (seen.has(statement)) return false;
    seen.add(statement);
    return true;
  });
}

/** The past memories that could be another wording of a new one: only they are embedded for the comparison. */
function findComparable(
  memories: readonly ExtractedMemory[],
  pastMemories: readonly MemoryRecord[],
): readonly { readonly type: string; readonly content: string }[] {
  return pastMemories.flatMap(({ recordType, content }) => {
    const past = content ?? '';
    const isComparable = memories.some(
      (memory) => memory.type === recordType && hasSameWords(memory.content, past),
    );
    return isComparable ? [{ type: recordType, content: past }] : [];
  });
}

/**
 * The memories that say something new, with their retrieval rows: an echo or another wording of a past memory of the same
 * type and scope, or of an earlier item of the answer, is not stored again, and what it would supersede stays. One
 * embedding pass for new and compared memories together.
 */
export async function keepNewMemories(
  context: MemoryContext,
  memories: readonly ExtractedMemory[],
  pastMemories: readonly MemoryRecord[],
): Promise<readonly NewMemory[]> {
  const distinct = withoutEchoes(memories, pastMemories);
  const comparable = findComparable(distinct, pastMemories);
  const texts = [...distinct, ...comparable].map(({ content }) => content);
  const rows = await createRetrievalRows(context, texts);
  const known: EmbeddedStatement[] = comparable.map((past, index) => ({
    ...past,
    embedding: rows[distinct.length + index]?.[0]?.embedding ?? null,
  }));
  const kept: NewMemory[] = [];
  for (const [index, memory] of distinct.entries()) {
    const chunks = rows[index] ?? [];
    const { type, content } = memory;
    const statement = { type, content, embedding: chunks[0]?.embedding ?? null };
    if (known.some((other) => other.type === type && isSameStatement(other, statement))) continue;
    known.push(statement);
    kept.push({ memory, chunks });
  }
  return kept;
}
