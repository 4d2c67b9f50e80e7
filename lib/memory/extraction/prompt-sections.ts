import type { MemoryRecord } from '../../schemas/record.ts';
import { cutText } from '../../schemas/values/cut-text.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';

/** Characters of a past memory that a model reads. */
const PAST_MEMORY_LIMIT = 2_000;

/** What a model reads of a thread. */
export interface PromptSections {
  readonly pastMemories: readonly MemoryRecord[];
  readonly summary: string | null;
  readonly messages: readonly StoredMessage[];
}

/** JSON on one line without `<`, so that no content can open or close a section. */
function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function section(name: string, lines: readonly string[]): string {
  return [`<${name}>`, ...lines, `</${name}>`].join('\n');
}

/** A past memory as the model sees it; a long one by its beginning. */
export function pastMemoryLine({ id, recordType, content, timestamp }: MemoryRecord): string {
  return toJsonLine({ id, type: recordType, content: cutText(content ?? '', PAST_MEMORY_LIMIT), timestamp });
}

/** A message as the model sees it: its own id, ISO-8601 time. */
export function messageLine({ id, role, timestamp, content }: StoredMessage): string {
  return toJsonLine({ id, role, timestamp, content });
}

/** A summary as the model sees it. */
export function summaryLine(summary: string | null): string {
  return toJsonLine(summary ?? '');
}

/**
 * The user message of a prompt: `<past_memories>`, `<summary>` and `<messages>`, one JSON value a line. The format is
 * fixed; the offline model reads it too.
 */
export function renderSections({ pastMemories, summary, messages }: PromptSections): string {
  return [
    section('past_memories', pastMemories.map(pastMemoryLine)),
    section('summary', [summaryLine(summary)]),
    section('messages', messages.map(messageLine)),
  ].join('\n');
}

/** Tokens that the answer may have, as a further section. */
export function renderTokenBudget(tokens: number): string {
  return section('token_budget', [String(tokens)]);
}
