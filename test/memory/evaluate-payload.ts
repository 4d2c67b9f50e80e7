/** What is searched instead of the content, as a request gives it. */
export type GivenText = string | readonly string[] | null | undefined;
/** Names of vectors that the caller gives. */
export type GivenVectors = string | readonly string[] | null | undefined;

/** A retrieval row: its text, `''` for none, and its vector: a given one by name, the embedder's, or none. */
export interface ExpectedRow {
  readonly text: string;
  readonly vector: { readonly given: string } | 'derived' | null;
}

export type Outcome =
  | { readonly refused: string }
  | { readonly content: string | null; readonly rows: readonly ExpectedRow[] };

/** The rows of a text that is given, or why the vectors do not fit it. */
function rowsOf(text: string | readonly string[], vectors: GivenVectors): readonly ExpectedRow[] | undefined {
  const texts = (typeof text === 'string' ? [text] : text).filter((each) => each !== '');
  if (vectors === undefined || vectors === null)
    return texts.map((each) => ({ text: each, vector: vectors === null ? null : 'derived' }));
  const given = typeof vectors === 'string' ? [vectors] : vectors;
  const isCounted = texts.length > 0 ? given.length === texts.length : given.length <= 1;
  if (!isCounted) return undefined;
  return given.map((each, index) => ({ text: texts[index] ?? '', vector: { given: each } }));
}

/** The column "on add" of contract §10.3. */
export function outcomeOfAdd(content: string | null, indexText: GivenText, embedding: GivenVectors): Outcome {
  const rows = rowsOf(indexText ?? content ?? '', embedding ?? undefined);
  return rows === undefined ? { refused: 'embeddings[0]' } : { content, rows };
}

/** A change of one record, as a request gives it. */
export interface GivenChange {
  readonly content: string | null | undefined;
  readonly indexText: GivenText;
  readonly embedding: GivenVectors;
}

/** The column "on update" of contract §10.3, and what is rejected, for a record with these texts of its rows. */
export function outcomeOfUpdate(
  stored: { readonly content: string; readonly rows: readonly ExpectedRow[] },
  { content, indexText, embedding }: GivenChange,
): Outcome {
  const hasVectors = embedding !== undefined && embedding !== null;
  if (content === null) {
    if (indexText !== undefined && indexText !== null) return { refused: 'indexText' };
    return hasVectors ? { refused: 'embedding' } : { content: null, rows: [] };
  }
  const kept = content ?? stored.content;
  if (indexText === null) {
    const isEmpty = !hasVectors || embedding.length === 0;
    return isEmpty ? { content: kept, rows: [] } : { refused: 'embedding' };
  }
  const text = indexText ?? content;
  const rows = text === undefined ? rowsThatStay(stored.rows, embedding) : rowsOf(text, embedding);
  return rows === undefined ? { refused: 'embedding' } : { content: kept, rows };
}

/** Neither content nor retrieval text: the rows keep their text and get, lose or keep their vectors. */
function rowsThatStay(
  rows: readonly ExpectedRow[],
  embedding: GivenVectors,
): readonly ExpectedRow[] | undefined {
  if (embedding === undefined) return rows;
  if (embedding === null) return rows.map(({ text }) => ({ text, vector: null }));
  const given = typeof embedding === 'string' ? [embedding] : embedding;
  if (given.length === 0 || given.length !== rows.length) return undefined;
  return rows.map(({ text }, index) => ({ text, vector: { given: given[index] ?? '' } }));
}
