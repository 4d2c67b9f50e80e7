import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { ATOMIC_CASES } from './transport-atomic-cases.ts';
import { CREATE_NOTE, MAXIMUM_ROWS, NOTE_TABLE } from './transport-note.ts';
import { QUERY_CASES } from './transport-query-cases.ts';
import { VALUE_CASES } from './transport-value-cases.ts';

/** A case that a transport is known to fail. It runs all the same, and the run fails when it passes. */
export interface TransportException {
  readonly test: string;
  readonly reason: string;
}

/** Makes the transport under test, on a schema that the cases may write to. */
export type MakeTransport = (options: { readonly maxRows: number }) => Promise<SqlTransport>;

/**
 * What every transport must do, whatever is behind it. `exceptions` name cases that a transport fails and why.
 */
export function transportCases(
  name: string,
  make: MakeTransport,
  exceptions: readonly TransportException[] = [],
): void {
  describe(`${name} as a transport`, () => {
    let transport: SqlTransport;
    beforeAll(async () => {
      transport = await make({ maxRows: MAXIMUM_ROWS });
      await transport.executeDdl(`DROP TABLE IF EXISTS ${NOTE_TABLE} PURGE`);
      await transport.executeDdl(CREATE_NOTE);
    });
    beforeEach(async () => {
      const statements = [{ name: 'all', sql: `DELETE FROM ${NOTE_TABLE}` }];
      await transport.executeAtomic({ name: 'conformance.clear', binds: {}, statements });
    });
    afterAll(() => transport?.close());

    const cases = { ...VALUE_CASES, ...ATOMIC_CASES, ...QUERY_CASES };
    for (const [title, run] of Object.entries(cases)) {
      const exception = exceptions.find((each) => each.test === title);
      if (exception === undefined) it(title, () => run(transport));
      else it.fails(`${title} (not yet: ${exception.reason})`, () => run(transport));
    }
    it('has no exception for a case that does not exist', () => {
      expect(exceptions.filter((exception) => !(exception.test in cases))).toEqual([]);
    });
  });
}
