import type { RecordType } from '../record.ts';
import { xmlBlock, xmlLine } from './xml.ts';

export interface FormattedRecord {
  readonly recordType: RecordType;
  readonly timestamp: string;
  readonly role?: string | undefined;
  readonly content: string;
}

/**
 * A record as lines of one XML element named by its type, with `timestamp`, `role` (messages only) and `content`
 * (contract D4): the same in search results and in context cards.
 */
export function formatRecordLines(record: FormattedRecord, indent: string): readonly string[] {
  const inner = `${indent}  `;
  const role =
    record.recordType === 'message' && record.role !== undefined ? [xmlLine(inner, 'role', record.role)] : [];
  return xmlBlock(indent, record.recordType, [
    xmlLine(inner, 'timestamp', record.timestamp),
    ...role,
    xmlLine(inner, 'content', record.content),
  ]);
}
