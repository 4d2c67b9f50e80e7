import type { JsonRecord } from './lenient-json.ts';

/** Longest summary that is kept, in characters. */
const SUMMARY_LIMIT = 20_000;

/** The text of an answer's `summary` as the database can hold it; '' when there is none. */
export function readSummary({ summary }: JsonRecord): string {
  if (typeof summary !== 'string') return '';
  return summary.toWellFormed().replaceAll('\u0000', '').trim().slice(0, SUMMARY_LIMIT).toWellFormed();
}

/** Whether an answer has a summary that says something. */
export function isSummaryAnswer(value: JsonRecord): boolean {
  return readSummary(value) !== '';
}
