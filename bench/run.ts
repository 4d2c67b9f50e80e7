import { allWithinBounds, type Figure, formatFigure } from './figure.ts';
import { handlerFigures } from './handler-figures.ts';
import { purgeFigures } from './purge-figures.ts';
import { serviceFigures } from './service-figures.ts';

const SECTIONS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  'Handlers, without database and models': handlerFigures,
  'npm start, over the emulator': serviceFigures,
  'The purge, over the emulator': purgeFigures,
};

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
