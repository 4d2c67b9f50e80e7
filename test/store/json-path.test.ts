import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPathSteps } from '../../lib/store/records/json-path.ts';

it('quotes each step and escapes what is not a letter, digit or underscore', () => {
  expect(jsonPathSteps(['color', 'd e', '$agent_memory'])).toBe('."color"."d\\u0020e"."\\u0024agent_memory"');
  expect(jsonPathSteps([`'"\\`, '日', '🙂'])).toBe('."\\u0027\\u0022\\u005c"."\\u65e5"."\\ud83d\\ude42"');
});

it('can be read back as the names, and holds no character that ends a step, a literal or a line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (names) => {
      const path = jsonPathSteps(names);
      expect(path).toMatch(/^(\."(\w|\\u[0-9a-f]{4})*")+$/);
      const read = [...path.matchAll(/\.("[^"]*")/g)].map(([, quoted]) => JSON.parse(quoted ?? ''));
      expect(read).toEqual(names);
    }),
  );
});
