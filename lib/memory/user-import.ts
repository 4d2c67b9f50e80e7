import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { Imported, ImportLines, LineOfType, UserDataLine } from '../schemas/user-data.ts';
import type { ChunkEmbedding } from '../store/records/stored-record.ts';
import type { ImportedChunk } from '../store/user-data/user-data.ts';
import { toStoredVector } from './given-vectors.ts';
import type { MemoryContext } from './memory-context.ts';
import { familyOf } from './record-family.ts';
import { createPayloadRows } from './retrieval-payload.ts';

/** A line with its index in the request, by which errors name it. */
interface IndexedLine {
  readonly line: UserDataLine;
  readonly index: number;
}

/**
 * Adds the lines of an export as they were, ids and times included, all or nothing; no extraction starts. Vectors are taken when
 * the export names the model and the width of this store, and made anew of their texts otherwise: one embedding pass. One
 * round trip. Errors: `conflict` for what exists already, `not_found` for the thread of a message, `invalid_request`
 * naming the line.
 */
export async function importRecords(context: MemoryContext, { lines }: ImportLines): Promise<Imported> {
  const data = lines.flatMap((line, index): IndexedLine[] => ('type' in line ? [{ line, index }] : []));
  const of = <Type extends UserDataLine['type']>(type: Type) => data.flatMap((each) => ofType(each, type));
  const threads = of('thread');
  const records = of('record').map((record) => ({ ...record, family: familyOf(record.recordType) }));
  requireDistinct(data);
  if (context.recorded === undefined) {
    const chunks = await chunksOf(context, data);
    const writesGuidelines = context.permits?.('guidelines:write') ?? true;
    const batch = { threads, records, chunks, forms: of('earlier_form'), writesGuidelines };
    await context.store.importUserData(batch, { signal: context.signal });
  }
  return { imported: threads.length + records.length };
}

function ofType<Type extends UserDataLine['type']>(
  { line }: IndexedLine,
  type: Type,
): readonly LineOfType<Type>[] {
  return isOfType(line, type) ? [line] : [];
}

function isOfType<Type extends UserDataLine['type']>(
  line: UserDataLine,
  type: Type,
): line is LineOfType<Type> & UserDataLine {
  return line.type === type;
}

/** The database would refuse what is there twice as well, after everything was embedded, and could not name the line. */
function requireDistinct(data: readonly IndexedLine[]): void {
  const seen = new Set<string>();
  for (const { line, index } of data) {
    const key = keyOf(line);
    if (key === undefined) continue;
    if (seen.has(key)) {
      throw new AgentMemoryError(
        'conflict',
        `lines[${index}]: what it adds already exists in an earlier line`,
      );
    }
    seen.add(key);
  }
}

function keyOf(line: UserDataLine): string | undefined {
  switch (line.type) {
    case 'thread':
      return `thread ${line.threadId}`;
    case 'record':
      return `${familyOf(line.recordType)} ${line.recordId}`;
    case 'retrieval_text':
      return `text ${line.number} ${familyOf(line.recordType)} ${line.recordId}`;
    default:
      return undefined;
  }
}

async function chunksOf(
  context: MemoryContext,
  data: readonly IndexedLine[],
): Promise<readonly ImportedChunk[]> {
  const head = data.flatMap((each) => ofType(each, 'export')).at(0);
  const found = data.flatMap(({ line, index }) => (line.type === 'retrieval_text' ? [{ line, index }] : []));
  const given = found.map(({ line, index }) => givenEmbedding(context, head, line, index));
  const derived = found.filter((_, index) => given[index] === undefined);
  const made = await createPayloadRows(
    context,
    derived.map(({ line, index }) => ({
      text: [line.text],
      embedding: undefined,
      textPath: `lines[${index}].text`,
      path: `lines[${index}].embedding`,
    })),
  );
  const embeddings = new Map(derived.map(({ index }, place) => [index, made[place]?.[0]?.embedding ?? null]));
  return found.map(({ line, index }, place) => ({
    family: familyOf(line.recordType),
    recordId: line.recordId,
    number: line.number,
    text: line.text,
    embedding: given[place] ?? embeddings.get(index) ?? null,
  }));
}

/** Null = none, undefined = to be made of the text. */
function givenEmbedding(
  { embedder, store }: MemoryContext,
  head: LineOfType<'export'> | undefined,
  { text, embedding }: LineOfType<'retrieval_text'>,
  index: number,
): ChunkEmbedding | undefined {
  if (embedding === undefined) return undefined;
  if (embedding === null) return null;
  const path = `lines[${index}].embedding`;
  const fits = head?.dimensions === store.dimensions && head.embedderModel === (embedder?.modelId ?? null);
  if (fits) return toStoredVector(embedding, store.dimensions, path);
  if (text.trim() !== '') return undefined;
  throw invalidRequest(path, 'is of another model than that of this store, and there is no text to embed');
}
