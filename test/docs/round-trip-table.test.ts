import { describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { JOB_ROUND_TRIPS, ROUND_TRIPS } from '../memory/round-trip-rows.ts';

/** What methods are called whose operation has another name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'thread.addMemory': 'addThreadMemory',
  'thread.updateMemory': 'updateThreadMemory',
  'thread.deleteMemory': 'deleteThreadMemory',
  'thread.search': 'searchThread',
  'records.add': 'addRecords',
  'records.addBatches': 'addRecordBatches',
  'records.list': 'listRecords',
  'records.listThreadMessages': 'listRecords',
  'records.search': 'searchRecords',
  'records.get': 'getRecord',
  'records.update': 'updateRecord',
  'records.delete': 'deleteRecord',
};

const operationIds: readonly string[] = ALL_OPERATIONS.map(({ contract }) => contract.id);

/** The numbers of the column `database` in every row that names the operation. */
function readTable(): ReadonlyMap<string, readonly number[]> {
  const [, section = ''] = readProjectFile('docs/architecture.md').split('\n## Round trips\n');
  const stated = new Map<string, readonly number[]>();
  for (const [, names = '', database = ''] of section.matchAll(
    /^\| ([^|]+) \| ([^|]+) \|[^|]+\|[^|]+\|$/gm,
  )) {
    const numbers = (database.match(/\d+/g) ?? []).map(Number);
    for (const name of names.match(/\w+/g) ?? []) {
      if (operationIds.includes(name)) stated.set(name, [...(stated.get(name) ?? []), ...numbers]);
    }
  }
  return stated;
}

const table = readTable();
const counted = [
  ...ROUND_TRIPS.map(([title, trips]) => {
    const [name = ''] = title.split(/[ ,]/);
    return [OPERATIONS[name] ?? name, trips] as const;
  }),
  ...Object.entries(JOB_ROUND_TRIPS),
];

describe('the table of round trips in docs/architecture.md', () => {
  it.each(counted)('states what is counted of %s: %i', (operation, trips) => {
    expect(table.get(operation)).toContain(trips);
  });

  it('names every operation', () => {
    expect(operationIds.filter((id) => !table.has(id))).toEqual([]);
  });

  it('states nothing that is not counted', () => {
    const names = new Set(counted.map(([operation]) => operation));
    expect([...table.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
