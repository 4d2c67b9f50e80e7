import { cleanText, type JsonRecord } from './lenient-json.ts';

/** Longest summary that is kept, in characters. */
const SUMMARY_LIMIT = 20_000;

/** The text of an answer's `summary` as the database can hold it; '' when there is none. */
export function readSummary({ summary }: JsonRecord): string {
  return cleanText(summary).slice(0, SUMMARY_LIMIT).toWellFormed();
}

/** Whether an answer has a summary. An empty one is an answer too: of a greeting there is nothing to keep. */
export function isSummaryAnswer(value: JsonRecord): boolean {
  return typeof value.summary === 'string';
}
