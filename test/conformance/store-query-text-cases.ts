import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { StoreSearch } from '../../lib/store/search/store-search.ts';
import { direction, newRecord, storeSearch } from '../store/store-samples.ts';
import { chunkAt } from './store-fixtures.ts';
import { type RowCounts, rowCounts, type StoreCase, type StoreStage } from './store-stage.ts';

const vector = direction(0);

/** What Oracle Text, SQL or a regular expression could read as more than text, and what holds no word. */
const HOSTILE_TEXTS: readonly string[] = [
  ...['ABOUT', 'ACCUM', 'AND', 'BT', 'EQUIV', 'FUZZY', 'HASPATH', 'INPATH', 'MINUS', 'NEAR', 'NOT', 'NT'],
  ...['OR', 'PT', 'RT', 'SQE', 'SYN', 'TR', 'WITHIN', 'MNOT', 'NDATA', 'SDATA', 'DEFINESCORE', 'NULL'],
  ...[...'&|-~,;>*?!$%_(){}[]\\/"\'`=<^#@:.+'],
  ...['{', '}}', '{{}', '{a', 'a}', '\\}', '\\\\', '%%%', '_%', '$run', '?run', '!run', 'a*2', 'a>.5', 'a^2'],
  ...['NEAR((a,b),2,TRUE)', 'FUZZY(a,60,5,weight)', 'ABOUT(', 'SQE(x)', 'a WITHIN b', 'a;b', 'a~b', 'a,b'],
  ...["'; DROP TABLE memory_record; --", "' OR 1=1", ':query', '&bind', '/* x */', '-- x', "q'[x]'"],
  ...['the', 'the of a', 'who is it?', 'what AND the', 'not not not', '...', '???', '-', '  .  '],
  ...['🙂', '🙂🙂', '👨‍👩‍👧‍👦', '🇵🇹', '👍🏽', '\u200d', '\ufe0f', 'e\u0301', '\u0301', 'ß', 'İ', 'ǅ', 'ﬁ'],
  ...[
    '花生',
    '我对花生过敏',
    '東京タワーへ行く',
    '茶',
    'ー',
    '々',
    '한국어',
    'ไทย',
    'हिन्दी',
    'العربية',
    'עברית',
  ],
  ...[
    '\u202e',
    '\ufeff',
    '\u00a0',
    '\t\n\r',
    '\u2028',
    '\u007f',
    '\u0085',
    '\uffff',
    '𝒳',
    '𐐨',
    '١٢٣',
    '½',
    'Ⅷ',
  ],
];

const LONG_TEXTS: readonly string[] = [
  'word '.repeat(2_000),
  'x'.repeat(10_000),
  '花'.repeat(10_000),
  '🙂'.repeat(5_000),
  '{'.repeat(10_000),
  '% '.repeat(5_000),
  'NEAR('.repeat(2_000),
  'e\u0301'.repeat(5_000),
  Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' AND '),
];

interface SearchedStage {
  readonly stage: StoreStage;
  readonly before: RowCounts;
}

async function prepare(stage: StoreStage): Promise<SearchedStage> {
  await stage.store.addRecord(newRecord('bicycle', { chunks: [chunkAt(0, 'red bicycle')] }), undefined);
  await stage.store.addRecord(newRecord('other', { chunks: [chunkAt(90, 'blue')] }), undefined);
  return { stage, before: await rowCounts(stage) };
}

async function find({ stage }: SearchedStage, strategy: 'keyword' | 'hybrid', text: string) {
  const query: StoreSearch['query'] = { strategy, text, vector };
  return (await stage.store.search(storeSearch({ query })))?.map((hit) => hit.record.id);
}

/** The text alone harms nothing; beside a word that a record holds it does not hide the record. */
async function checkText(searched: SearchedStage, text: string): Promise<void> {
  const shown = JSON.stringify(text.slice(0, 99));
  expect(await find(searched, 'keyword', text), shown).toEqual([]);
  expect(await find(searched, 'hybrid', text), shown).toHaveLength(2);
  expect(await find(searched, 'keyword', `bicycle ${text}`), shown).toEqual(['bicycle']);
}

/** Free text is text: no string is read as an operator, fails, or hides what its words find. */
export const QUERY_TEXT_CASES: Readonly<Record<string, StoreCase>> = {
  'operators, symbols, stop words and every script are plain text (contract §6.1, §12)': async (stage) => {
    const searched = await prepare(stage);
    for (const text of HOSTILE_TEXTS) await checkText(searched, text);
    expect(await rowCounts(stage)).toEqual(searched.before);
  },
  'a query of ten thousand characters is answered (contract §6.1, §12)': async (stage) => {
    const searched = await prepare(stage);
    for (const text of LONG_TEXTS) await checkText(searched, text);
  },
  'any string is a query (contract §6.1, §12)': async (stage) => {
    const searched = await prepare(stage);
    const unit = fc.oneof(
      fc.constantFrom(...HOSTILE_TEXTS),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replaceAll('\u0000', ' ')),
    );
    const texts = fc.array(unit, { maxLength: 8 }).map((units) => units.join(' '));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        fc.pre(!/\b(?:red|bicycles?|blues?|reds)\b/iu.test(text));
        await checkText(searched, text);
      }),
      { numRuns: 25 },
    );
    expect(await rowCounts(stage)).toEqual(searched.before);
  },
};
