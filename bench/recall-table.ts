import { type Conversation, readLocomo } from './locomo/data-set.ts';
import {
  bm25Search,
  DEPTHS,
  measureRecall,
  memorySearch,
  type RecallFigures,
} from './locomo/measure-recall.ts';
import { storeConversation } from './locomo/store-conversation.ts';
import { openMemoryOnEmulator } from './memory-on-emulator.ts';

const STRATEGIES = ['keyword', 'vector', 'hybrid'] as const;
const MISSING = `LOCOMO_FILE is not set: no recall is measured. The data set is locomo10.json of
  https://github.com/snap-research/locomo (CC BY-NC 4.0, for measuring only; it is no part of this project).`;

/**
 * Recall of evidence on LoCoMo: each search strategy beside plain BM25, over the same turns, with the offline embedder and no
 * language model.
 *
 * @param path the file; undefined says what is missing
 */
export async function recallTable(path: string | undefined): Promise<readonly string[]> {
  if (path === undefined || path === '') return [MISSING];
  const conversations = await readLocomo(path);
  const rows: (readonly [string, RecallFigures])[] = [
    ['plain BM25', await measureRecall(conversations, bm25Search)],
    ...(await measureStrategies(conversations)),
  ];
  return [
    ...table('turns, questions of categories 1 to 4', rows, ({ turns }) => turns),
    ...table(
      'sessions, in the order in which their turns are found, all questions',
      rows,
      (row) => row.sessions,
    ),
  ];
}

async function measureStrategies(
  conversations: readonly Conversation[],
): Promise<readonly (readonly [string, RecallFigures])[]> {
  const bench = await openMemoryOnEmulator();
  try {
    for (const conversation of conversations) await storeConversation(bench.with('hybrid'), conversation);
    const rows: (readonly [string, RecallFigures])[] = [];
    for (const strategy of STRATEGIES) {
      const memory = bench.with(strategy);
      rows.push([strategy, await measureRecall(conversations, (one) => memorySearch(memory, one))]);
    }
    return rows;
  } finally {
    await bench.close();
  }
}

function table(
  title: string,
  rows: readonly (readonly [string, RecallFigures])[],
  pick: (figures: RecallFigures) => readonly number[],
): readonly string[] {
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(9)).join('')}`;
  return [
    `Recall of ${title}`,
    line(
      '',
      DEPTHS.map((depth) => `@${depth}`),
    ),
    ...rows.map(([name, figures]) =>
      line(
        name,
        pick(figures).map((value) => value.toFixed(3)),
      ),
    ),
  ];
}
