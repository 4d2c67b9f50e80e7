import { backgroundFigures } from './background-figures.ts';
import { deploymentFigures } from './deployment-figures.ts';
import { allWithinBounds, type Figure, formatFigure } from './figure.ts';
import { handlerFigures } from './handler-figures.ts';
import { purgeFigures } from './purge-figures.ts';
import { recallTable } from './recall-table.ts';
import { searchFigures, searchSizes } from './search-figures.ts';
import { serviceFigures } from './service-figures.ts';
import { tokenizerFigures } from './tokenizer-figures.ts';
import { transportFigures } from './transport-figures.ts';

const SECTIONS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  'Handlers, without database and models': handlerFigures,
  'What is deployed': deploymentFigures,
  'Counting tokens': tokenizerFigures,
  'npm start, over the emulator': serviceFigures,
  'Operations over each transport, to the same emulator': transportFigures,
  'Background extraction, over the emulator': backgroundFigures,
  'Searches by size of the store, over the emulator': () =>
    searchFigures(searchSizes(process.env.BENCH_LARGE)),
  'The purge, over the emulator': purgeFigures,
};

console.log('Recall on LoCoMo');
for (const line of await recallTable(process.env.LOCOMO_FILE)) console.log(`  ${line}`);

const all: Figure[] = [];
for (const [title, measure] of Object.entries(SECTIONS)) {
  console.log(`\n${title}`);
  const figures = await measure();
  for (const figure of figures) console.log(`  ${formatFigure(figure)}`);
  all.push(...figures);
}
if (!allWithinBounds(all)) {
  console.error('\nA figure is over its bound.');
  process.exitCode = 1;
}
