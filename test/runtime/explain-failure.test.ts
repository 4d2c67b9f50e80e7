import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { explainFailure } from '../../infra/explain-failure.ts';

describe('the reason of a failed start', () => {
  it('has one line for each cause', () => {
    const refused = new Error('connect ECONNREFUSED');
    const failure = new Error('no database', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(explainFailure(failure)).toBe('no database\n  fetch failed\n  connect ECONNREFUSED');
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT: must be a whole number'],
    [{ MEMORY_EXTRACTION: '{"x":1}' }, 'MEMORY_EXTRACTION.x: is not a known field'],
  ])('is one sentence about the variable of %j', (variables, reason) => {
    const start = (): string => {
      try {
        readConfiguration(variables, 'local');
        return 'started';
      } catch (error) {
        return explainFailure(error);
      }
    };
    expect(start()).toBe(reason);
  });
});
