import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { namedIds, requireNamedInLimits } from '../../functions/named-ids.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

interface Place {
  readonly field: string;
  /** A part of a request in which nothing but this place is given. */
  readonly holding: (value: unknown) => unknown;
}

const OWNER_FIELD = /^(user|agent|thread)Ids?$/;

/**
 * The places of a schema that name a user, an agent or a thread, in a JSON schema: found without the code that has to find them in
 * a request.
 */
function placesOf(
  schema: unknown,
  definitions: object,
  holding: Place['holding'] = (value) => value,
): readonly Place[] {
  const { $ref, properties = {}, anyOf = [], items } = Object(schema);
  if (typeof $ref === 'string') {
    return placesOf(Object(definitions)[$ref.replace('#/$defs/', '')], definitions, holding);
  }
  const own = Object.entries(properties).flatMap(([field, value]): readonly Place[] => {
    const inside = (given: unknown) => holding({ [field]: given });
    if (OWNER_FIELD.test(field)) return [{ field, holding: inside }];
    return field.startsWith('metadata') ? [] : placesOf(value, definitions, inside);
  });
  const alternatives: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return [
    ...own,
    ...alternatives.flatMap((each) => placesOf(each, definitions, holding)),
    ...(items === undefined ? [] : placesOf(items, definitions, (value) => holding([{}, value]))),
  ];
}

const places = ALL_CONTRACTS.flatMap((contract) =>
  (['parameters', 'query', 'body'] as const).flatMap((part) => {
    const schema = z.toJSONSchema(contract[part], { io: 'input', unrepresentable: 'any' });
    return placesOf(schema, schema.$defs ?? {}).map(
      (place) => [contract.id, part, place.field, place] as const,
    );
  }),
);

describe('the users, agents and threads that a request names', () => {
  it('stand in many places', () => {
    const count = (wanted: string) => places.filter(([, part]) => part === wanted).length;
    expect([count('parameters') >= 20, count('query') >= 6, count('body') >= 20]).toEqual([true, true, true]);
    expect(places.filter(([id]) => id === 'addRecordBatches')).toHaveLength(3);
    expect(places.filter(([id]) => id === 'searchThread').length).toBeGreaterThanOrEqual(7);
  });

  it.each(places)('are found in %s, %s: %s', (_id, _part, field, { holding }) => {
    const list = `${OWNER_FIELD.exec(field)?.[1]}s`;
    expect(namedIds(holding('x'))).toEqual([{ list, field, value: 'x' }]);
    expect(namedIds(holding(null))).toEqual([{ list, field, value: null }]);
    if (field.endsWith('s')) {
      const values = ['x', null].map((value) => ({ list, field, value }));
      expect(namedIds(holding(['x', null]))).toEqual(values);
    }
    expect(() => requireNamedInLimits({ [list]: ['y'] }, namedIds(holding('x')))).toThrow(field);
    expect(() => requireNamedInLimits({ [list]: ['y'] }, namedIds(holding(null)))).toThrow(field);
    expect(() => requireNamedInLimits({ [list]: ['x'] }, namedIds(holding('x')))).not.toThrow();
  });

  it('are the ids of profiles, and of no other records', () => {
    expect(namedIds({ recordType: 'user_profile', recordId: 'ana' })).toMatchObject([
      { list: 'users', value: 'ana' },
    ]);
    expect(namedIds([{ batches: [{ recordType: 'agent_profile', recordIds: ['guide'] }] }])).toMatchObject([
      { list: 'agents', value: 'guide' },
    ]);
    expect(namedIds({ recordType: 'fact', recordId: 'ana' })).toEqual([]);
  });

  it("do not stand in metadata, which is the caller's own", () => {
    const own = { metadata: { userId: 'x' }, metadataFilter: { threadId: 'x' } };
    expect(namedIds([{ ...own, messages: [own] }, null, undefined, 7, 'userId'])).toEqual([]);
  });
});
