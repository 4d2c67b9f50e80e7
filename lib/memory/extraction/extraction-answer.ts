import { MEMORY_TYPES, type MemoryType } from '../../schemas/record.ts';
import { cutText } from '../../schemas/values/cut-text.ts';
import { cleanText, type JsonRecord } from './lenient-json.ts';

/** One memory that the model found, checked. */
export interface ExtractedMemory {
  readonly type: MemoryType;
  readonly content: string;
  readonly importance: number;
  readonly entities: readonly string[];
  readonly topic: string;
  readonly sourceMessageIds: readonly string[];
  readonly supersedes: readonly string[];
}

/** Ids that the model was shown, and those that stand in when it names no source. */
export interface ShownIds {
  readonly messageIds: ReadonlySet<string>;
  readonly memoryIds: ReadonlySet<string>;
  readonly fallbackSourceIds: readonly string[];
}

export interface ExtractionAnswer {
  readonly memories: readonly ExtractedMemory[];
  /** Items with an unknown type or degenerate content, and items beyond the limit. */
  readonly droppedItems: number;
  /** Ids in items that the model was never shown. */
  readonly removedIds: number;
  /** Contents that were cut to `MEMORY_CONTENT_LIMIT`. */
  readonly shortenedContents: number;
}

/** Longest content of an extracted memory in characters: it is one statement, not a document. */
export const MEMORY_CONTENT_LIMIT = 2_000;
/** Items of one answer that are kept. */
const ITEM_LIMIT = 500;
const ENTITY_LIMIT = 50;
const LABEL_LIMIT = 200;
const NEUTRAL_IMPORTANCE = 3;

interface ReadItem {
  readonly memory: ExtractedMemory;
  readonly removedIds: number;
  readonly isShortened: boolean;
}

export function isExtractionAnswer(value: JsonRecord): boolean {
  return Array.isArray(value.memories);
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMemoryType(value: unknown): value is MemoryType {
  return MEMORY_TYPES.some((type) => type === value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Content such as "..." or "-" says nothing. */
function isDegenerate(content: string): boolean {
  return !/[\p{L}\p{N}]/u.test(content);
}

function readLabels(value: unknown): readonly string[] {
  const labels = listOf(value)
    .map((label) => cleanText(label).slice(0, LABEL_LIMIT).toWellFormed())
    .filter((label) => label !== '');
  return [...new Set(labels)].slice(0, ENTITY_LIMIT);
}

function readImportance(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return NEUTRAL_IMPORTANCE;
  return Math.min(5, Math.max(1, Math.round(value)));
}

function readIds(
  value: unknown,
  shown: ReadonlySet<string>,
): { readonly kept: readonly string[]; readonly removed: number } {
  const ids = [...new Set(listOf(value))];
  const kept = ids.filter((id): id is string => typeof id === 'string' && shown.has(id));
  return { kept, removed: ids.length - kept.length };
}

function readItem(item: unknown, shown: ShownIds): ReadItem | undefined {
  if (!isRecord(item) || !isMemoryType(item.type)) return undefined;
  const content = cleanText(item.content);
  if (isDegenerate(content)) return undefined;
  const sources = readIds(item.sourceMessageIds, shown.messageIds);
  const superseded = readIds(item.supersedes, shown.memoryIds);
  const memory = {
    type: item.type,
    content: cutText(content, MEMORY_CONTENT_LIMIT),
    importance: readImportance(item.importance),
    entities: readLabels(item.entities),
    topic: cleanText(item.topic).slice(0, LABEL_LIMIT).toWellFormed(),
    sourceMessageIds: sources.kept.length > 0 ? sources.kept : shown.fallbackSourceIds,
    supersedes: superseded.kept,
  };
  return {
    memory,
    removedIds: sources.removed + superseded.removed,
    isShortened: content.length > MEMORY_CONTENT_LIMIT,
  };
}

/**
 * Checks the items of an answer strictly: an unknown type or degenerate content drops the item, an id that was not
 * shown is removed and its item stays (HTTP API contract, Model contract), content that is too long is cut. All of it is
 * counted.
 */
export function readExtractionAnswer(value: JsonRecord, shown: ShownIds): ExtractionAnswer {
  const items = listOf(value.memories);
  const read = items.slice(0, ITEM_LIMIT).flatMap((item) => readItem(item, shown) ?? []);
  return {
    memories: read.map(({ memory }) => memory),
    droppedItems: items.length - read.length,
    removedIds: read.reduce((sum, { removedIds }) => sum + removedIds, 0),
    shortenedContents: read.filter(({ isShortened }) => isShortened).length,
  };
}
