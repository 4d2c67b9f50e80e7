import type { JsonObject } from './metadata.ts';
import { isProfileType, type RecordType } from './record.ts';
import { type Embedding, type IndexText, vectorFault } from './retrieval-payload.ts';
import { isBlank } from './well-formed.ts';

/** One value for every record, or one entry a record. */
export type OneOrList<Value> = Value | readonly Value[] | undefined;

/** A batch as far as its rules between fields go. */
export interface BatchFields {
  readonly recordType: RecordType;
  readonly contents: readonly (string | null)[];
  readonly indexTexts?: string | null | readonly (IndexText | null)[] | undefined;
  readonly embeddings?: readonly (Embedding | null)[] | null | undefined;
  readonly recordIds?: OneOrList<string | null>;
  readonly threadIds?: OneOrList<string | null>;
  readonly userIds?: OneOrList<string | null>;
  readonly agentIds?: OneOrList<string | null>;
  readonly roles?: OneOrList<string>;
  readonly timestamps?: OneOrList<string | null>;
  readonly metadata?: OneOrList<JsonObject | null>;
  readonly ttlDays?: OneOrList<number | null>;
  readonly ttlAnchor?: OneOrList<'created_at' | 'timestamp'>;
}

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

function isList<Value>(value: OneOrList<Value>): value is readonly Value[] {
  return Array.isArray(value);
}

/** The value for one record: the single one, or its entry of the list. */
export function valueAt<Value>(value: OneOrList<Value>, index: number): Value | undefined {
  return isList(value) ? value[index] : value;
}

/** Where the value for one record stands. */
function pathAt<Value>(field: string, value: OneOrList<Value>, index: number): Path {
  return isList(value) ? [field, index] : [field];
}

/** The stored text of a record: a null content is `metadata.content` when that is text. */
export function contentAt({ contents, metadata }: BatchFields, index: number): string | null {
  const fallback = valueAt(metadata, index)?.content;
  const isText = typeof fallback === 'string' && !isBlank(fallback);
  return contents[index] ?? (isText ? fallback : null);
}

/** The retrieval text of a record: omitted and null are its content. */
export function indexTextAt(batch: BatchFields, index: number): IndexText {
  const { indexTexts } = batch;
  const given = typeof indexTexts === 'string' ? indexTexts : indexTexts?.[index];
  return given ?? contentAt(batch, index) ?? '';
}

const LISTS = [
  'indexTexts',
  'embeddings',
  'recordIds',
  'threadIds',
  'userIds',
  'agentIds',
  'roles',
  'timestamps',
  'metadata',
  'ttlDays',
  'ttlAnchor',
] as const satisfies readonly (keyof BatchFields)[];

/** Reports what breaks a rule between the fields of a batch (contract §10.2, §10.3). */
export function checkBatch(batch: BatchFields, report: Report): void {
  const total = batch.contents.length;
  const uneven = LISTS.filter((field) => {
    const value = batch[field];
    return Array.isArray(value) && value.length !== total;
  });
  for (const field of uneven) report([field], `must have one entry for each of the ${total} contents`);
  if (uneven.length > 0) return;
  if (batch.recordType !== 'message' && batch.roles !== undefined)
    report(['roles'], 'only messages have roles');
  if (batch.recordType === 'message' && batch.roles === undefined)
    report(['roles'], 'is needed for messages');
  for (let index = 0; index < total; index += 1) {
    if (batch.recordType === 'message') checkMessage(batch, index, report);
    if (isProfileType(batch.recordType)) checkProfile(batch, index, report);
    checkTime(batch, index, report);
    checkVectors(batch, index, report);
  }
}

function checkMessage({ threadIds }: BatchFields, index: number, report: Report): void {
  const threadId = valueAt(threadIds, index) ?? null;
  if (threadId === null) report(pathAt('threadIds', threadIds, index), 'is needed for a message');
}

/** Unscoped, always with text, never expiring (contract §3.2, §11). */
function checkProfile(batch: BatchFields, index: number, report: Report): void {
  if ((contentAt(batch, index) ?? '') === '') report(['contents', index], 'is needed for a profile');
  for (const field of ['threadIds', 'userIds', 'agentIds', 'ttlDays'] as const) {
    const value = valueAt<string | number | null>(batch[field], index) ?? null;
    if (value !== null) report(pathAt<unknown>(field, batch[field], index), 'cannot be given for a profile');
  }
  if (batch.ttlAnchor !== undefined) report(['ttlAnchor'], 'cannot be given for a profile');
}

function checkTime({ ttlAnchor, timestamps }: BatchFields, index: number, report: Report): void {
  if (valueAt(ttlAnchor, index) !== 'timestamp' || (valueAt(timestamps, index) ?? null) !== null) return;
  report(pathAt('timestamps', timestamps, index), 'is needed when ttlAnchor is "timestamp"');
}

function checkVectors(batch: BatchFields, index: number, report: Report): void {
  const embedding = batch.embeddings?.[index] ?? null;
  if (embedding === null) return;
  const fault = vectorFault(indexTextAt(batch, index), embedding);
  if (fault !== undefined) report(['embeddings', index], fault);
}
