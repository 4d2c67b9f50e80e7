import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, costsOf, startApi } from './api-fixture.ts';
import { type ApiRequest, randomRequests, requestInit } from './random-requests.ts';

/** Raised, and another seed, for a longer look. */
const CALLS = Number(process.env.SAME_ANSWER_CALLS ?? 200);
const SEED = Number(process.env.SAME_ANSWER_SEED ?? 6);
const START = Date.now();
const DAY = 86_400_000;

const VARIABLES = { SEARCH_STRATEGY: 'hybrid', MEMORY_EXTRACTION: '{"extractMemories":true}' };
const WAYS = {
  'rest-sql': {},
  module: { ordsMode: 'module' },
  thin: { tnsFaults: new TnsFaults() },
} as const;

const services = new Map<string, ApiFixture>();
let ids = 0;

beforeAll(async () => {
  for (const [name, way] of Object.entries(WAYS)) {
    services.set(name, await startApi({ ...way, variables: VARIABLES, llm: createRulesLlm() }));
  }
});
afterAll(() => Promise.all([...services.values()].map((api) => api.close())));

/** Every service gives the same ids to what the same request makes. */
beforeEach(() => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  });
});
afterEach(() => vi.restoreAllMocks());

/** Numbers from 0 to 1, the same for the same seed (a linear congruential generator, Numerical Recipes). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The database has a clock of its own: a moment since the start of the test is told by its distance in days. */
function withoutNow(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
    const days = Math.floor((Date.parse(time) - START) / DAY);
    return days < 0 ? time : `now + ${days} days`;
  });
}

/** Everything of an answer and what it cost, but the time that it took. */
async function answerOf(api: ApiFixture, request: ApiRequest) {
  const response = await api.app.request(`/v1${request.path}`, requestInit(request));
  const headers = new Headers(response.headers);
  headers.delete('Server-Timing');
  const text = withoutNow(await response.text());
  return { status: response.status, text, headers: [...headers], costs: costsOf(response) };
}

it('answers every call alike, to the byte and the round trip, over every way to the database', async () => {
  const requests = randomRequests(numbersOf(SEED));
  const statuses = new Set<number>();
  for (let call = 0; call < CALLS; call += 1) {
    const request = requests.next().value;
    const before = ids;
    const answers = new Map<string, Awaited<ReturnType<typeof answerOf>>>();
    for (const [name, api] of services) {
      ids = before;
      answers.set(name, await answerOf(api, request));
    }
    const expected = answers.get('rest-sql');
    for (const [name, answer] of answers) {
      expect(answer, `call ${call} over ${name}: ${JSON.stringify(request)}`).toEqual(expected);
      statuses.add(answer.status);
    }
  }
  expect([...statuses].sort()).toEqual([200, 201, 400, 404, 409]);
  const failures = [...services.values()].flatMap(({ logged }) =>
    logged.filter(({ level }) => level === 'error'),
  );
  expect(failures).toEqual([]);
  const rows = await Promise.all([...services.values()].map((api) => api.countRows()));
  expect(new Set(rows).size).toBe(1);
}, 120_000);
