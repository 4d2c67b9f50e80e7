import type { MemoryRecord } from '../../schemas/record.ts';
import type { Chunk } from '../../store/records/stored-record.ts';
import type { CreateRows } from '../retrieval-rows.ts';
import { type ExtractedMemory, MEMORY_CONTENT_LIMIT } from './extraction-answer.ts';
import { hasSameWords, isSameStatement, normalizeStatement } from './same-statement.ts';
import { readStatementWords, type StatementWords } from './statement-words.ts';

/** A memory that is not known yet, with its retrieval rows. */
export interface NewMemory {
  readonly memory: ExtractedMemory;
  readonly chunks: readonly Chunk[];
}

/** A statement with what it is compared by; texts are read once, they are compared many times. */
interface ReadStatement {
  readonly type: string;
  readonly content: string;
  readonly words: StatementWords;
}

function readStatement(type: string, content: string): ReadStatement {
  return { type, content, words: readStatementWords(content) };
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
  statements: readonly ReadStatement[],
  pastMemories: readonly MemoryRecord[],
): readonly ReadStatement[] {
  return pastMemories
    .map(({ recordType, content }) => readStatement(recordType, content ?? ''))
    .filter((past) =>
      statements.some((one) => one.type === past.type && hasSameWords(one.words, past.words)),
    );
}

/**
 * The memories that say something new, with their retrieval rows: an echo or another wording of a past memory of the same
 * type and scope, or of an earlier item of the answer, is not stored again, and what it would supersede stays. One
 * embedding pass for new and compared memories together. A past memory that is longer than any new one can be is not
 * compared.
 */
export async function keepNewMemories(
  createRows: CreateRows,
  memories: readonly ExtractedMemory[],
  pastMemories: readonly MemoryRecord[],
): Promise<readonly NewMemory[]> {
  const comparedPast = pastMemories.filter(({ content }) => (content ?? '').length <= MEMORY_CONTENT_LIMIT);
  const distinct = withoutEchoes(memories, comparedPast);
  const statements = distinct.map(({ type, content }) => readStatement(type, content));
  const comparable = findComparable(statements, comparedPast);
  const texts = [...statements, ...comparable].map(({ content }) => content);
  const rows = await createRows(texts);
  const embeddingAt = (index: number) => {
    const embedding = rows[index]?.[0]?.embedding;
    return embedding instanceof Float32Array ? embedding : null;
  };
  const known = comparable.map((past, index) => ({
    ...past,
    embedding: embeddingAt(statements.length + index),
  }));
  return distinct.flatMap((memory, index) => {
    const statement = { ...readStatement(memory.type, memory.content), embedding: embeddingAt(index) };
    if (known.some((other) => other.type === statement.type && isSameStatement(other, statement))) return [];
    known.push(statement);
    return [{ memory, chunks: rows[index] ?? [] }];
  });
}
