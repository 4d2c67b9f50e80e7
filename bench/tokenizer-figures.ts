import { loadTokenizer } from '../infra/local/models/load-tokenizer.ts';
import type { Figure } from './figure.ts';
import { percentile, time } from './statistics.ts';

const CHARACTERS = 400_000;
const SAMPLES = 3;
const TEXTS: Readonly<Record<string, string>> = {
  'ordinary prose': 'The quick brown fox jumps over the lazy dog near the old harbour. ',
  'one letter without a break': 'a',
  'one emoji without a break': '👩‍👩‍👧',
};

/** Time to count the tokens of the longest content a message may have, also where the plain encoder is quadratic. */
export async function tokenizerFigures(): Promise<readonly Figure[]> {
  const tokenizer = await loadTokenizer();
  tokenizer.count('load the ranks');
  const figures: Figure[] = [];
  for (const [name, unit] of Object.entries(TEXTS)) {
    const text = unit.repeat(Math.ceil(CHARACTERS / unit.length)).slice(0, CHARACTERS);
    const whole = percentile(await time(SAMPLES, async () => tokenizer.count(text)), 0.5);
    const quarter = percentile(
      await time(SAMPLES, async () => tokenizer.count(text.slice(0, CHARACTERS / 4))),
      0.5,
    );
    figures.push({ name: `count 400,000 characters, ${name}`, value: whole, unit: 'ms' });
    figures.push({
      name: '  over the time of a quarter of it (linear: 4)',
      value: whole / quarter,
      unit: '',
    });
  }
  return figures;
}
