import type { StatementWords } from './statement-words.ts';

/**
 * Largest cosine distance of two wordings of one statement. It only confirms what the words say already: embeddings
 * alone do not tell peanuts from walnuts.
 */
export const SAME_STATEMENT_DISTANCE = 0.35;

/** The same statement in another spelling of case, white space or closing punctuation. */
export function normalizeStatement(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s.,;:!?…"'“”‘’)。、！？]+$/u, '')
    .trim();
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

/** `A is B` says what `B is A` says. */
function isTurnedAround(a: StatementWords, b: StatementWords): boolean {
  const [one, other] = [a.aroundCopula, b.aroundCopula];
  if (one === undefined || other === undefined) return false;
  if (one.left.length === 0 || one.right.length === 0) return false;
  return isSameList(one.left, other.right) && isSameList(one.right, other.left);
}

/**
 * Whether two statements have the same words in the same order, apart from function words, plurals and a few synonyms. One
 * differing name, number, date, negation or tense makes them two: to keep a repetition costs less than to lose a
 * statement.
 */
export function hasSameWords(a: StatementWords, b: StatementWords): boolean {
  if (a.order.length === 0) return false;
  if (!isSameList(a.predicates, b.predicates)) return false;
  return isSameList(a.order, b.order) || isTurnedAround(a, b);
}

/** Cosine distance of two vectors, 0 to 2. */
export function cosineDistance(a: Float32Array, b: Float32Array): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    product += value * other;
    lengthA += value * value;
    lengthB += other * other;
  }
  return 1 - product / Math.sqrt(lengthA * lengthB);
}

/** What two statements are compared by. */
export interface ComparedStatement {
  readonly words: StatementWords;
  /** Null without embedder, and where the database embeds: then the words decide alone. */
  readonly embedding: Float32Array | null;
}

/** Whether two statements are wordings of one: by their words, confirmed by the distance of their embeddings. */
export function isSameStatement(a: ComparedStatement, b: ComparedStatement): boolean {
  if (!hasSameWords(a.words, b.words)) return false;
  if (a.embedding === null || b.embedding === null) return true;
  return cosineDistance(a.embedding, b.embedding) <= SAME_STATEMENT_DISTANCE;
}
