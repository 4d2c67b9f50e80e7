import { expect, it } from 'vitest';
import { statementHash } from '../../lib/sql/fixed-statement.ts';

it('hashes the bytes of a text in UTF-8, as any SHA-256 does', async () => {
  expect(await statementHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  expect(await statementHash('ä')).not.toBe(await statementHash('a'));
  expect(await statementHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
});
