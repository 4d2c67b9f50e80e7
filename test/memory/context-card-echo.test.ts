import { describe, expect, it } from 'vitest';
import { withoutContextCards } from '../../lib/memory/extraction/context-card-echo.ts';

const card = '<context_card>\n  <topics></topics>\n  old &lt;context_card&gt;\n</context_card>';

describe('a message without the cards that it quotes (contract §8.4)', () => {
  it.each([
    ['nothing to cut', 'I live in Faro.', 'I live in Faro.'],
    ['white space without a card', ' I live in Faro. ', ' I live in Faro. '],
    ['a card alone', card, ''],
    ['a card between', `before ${card} after`, 'before  after'],
    ['two cards', `a ${card} b ${card} c`, 'a  b  c'],
    [
      'a mention before a card',
      `What is <context_card>? ${card} Tell me.`,
      'What is <context_card>?  Tell me.',
    ],
    ['a mention alone', 'What is <context_card>?', 'What is <context_card>?'],
    ['a closing tag alone', 'x </context_card> <context_card> y', 'x </context_card> <context_card> y'],
    ['a card that was cut off', `before ${card.slice(0, 40)}`, 'before'],
    ['a card and one that was cut off', `${card} mid ${card.slice(0, 40)}`, 'mid'],
  ])('%s', (_name, content, expected) => {
    expect(withoutContextCards(content)).toBe(expected);
  });

  it.each([['<context_card>'], ['</context_card>'], ['<context_card> <topics'], ['<context_card></']])(
    'reads 400,000 characters of %s in one pass',
    (unit) => {
      const content = `<context_card>${unit.repeat(Math.floor(400_000 / unit.length))}`;
      expect(withoutContextCards(content).length).toBeLessThanOrEqual(content.length);
    },
  );
});
