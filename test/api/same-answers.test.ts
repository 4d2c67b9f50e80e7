import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, type ApiFixtureOptions, costsOf, startApi } from './api-fixture.ts';
import { type ApiRequest, randomRequests, requestInit } from './random-requests.ts';

/** Raised, and another seed, for a longer look. */
const CALLS = Number(process.env.SAME_ANSWER_CALLS ?? 200);
const SEED = Number(process.env.SAME_ANSWER_SEED ?? 6);
const START = Date.now();
const DAY = 86_400_000;

/** Callers by their key: without limits, and with limits to users and agents, which a database with row isolation has too. */
const CALLERS = {
  'key-all': {},
  'key-users': { users: ['ann', "o'hara", 'A B'] },
  'key-pair': { users: ['bob', 'émile'], agents: ['ann', '😀'] },
} as const;
const KEYS = Object.entries(CALLERS).map(([key, limits], index) => ({
  id: `caller-${index}`,
  sha256: createHash('sha256').update(key).digest('hex'),
  scopes: ['*'],
  ...limits,
}));

interface Setting {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly direct: ApiFixtureOptions;
}

const SETTINGS: readonly Setting[] = [
  { name: 'for anybody', variables: {}, keys: [''], direct: { tnsFaults: new TnsFaults() } },
  {
    name: 'for callers with and without limits, over a direct connection with row isolation',
    variables: { AUTH_MODE: 'api-key', API_KEYS: JSON.stringify(KEYS) },
    keys: Object.keys(CALLERS),
    direct: { isolatesRows: true },
  },
];
const COMMON = { SEARCH_STRATEGY: 'hybrid', MEMORY_EXTRACTION: '{"extractMemories":true}' };
let ids = 0;

async function startServices({ variables, direct }: Setting): Promise<ReadonlyMap<string, ApiFixture>> {
  const ways: Readonly<Record<string, ApiFixtureOptions>> = {
    'rest-sql': {},
    module: { ordsMode: 'module' },
    thin: direct,
  };
  const services = new Map<string, ApiFixture>();
  onTestFinished(async () => {
    for (const api of services.values()) await api.close();
  });
  for (const [name, way] of Object.entries(ways)) {
    const options = { ...way, variables: { ...COMMON, ...variables }, llm: createRulesLlm() };
    services.set(name, await startApi(options));
  }
  return services;
}

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
async function answerOf(api: ApiFixture, request: ApiRequest, apiKey: string) {
  const init = requestInit(request);
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${apiKey}`);
  const response = await api.app.request(`/v1${request.path}`, { ...init, headers });
  const told = new Headers(response.headers);
  told.delete('Server-Timing');
  const text = withoutNow(await response.text());
  return { status: response.status, text, headers: [...told], costs: costsOf(response) };
}

describe('every way to the database', () => {
  it.each(SETTINGS)(
    'answers every call alike, to the byte and the round trip: $name',
    async (setting) => {
      const services = await startServices(setting);
      const random = numbersOf(SEED);
      const requests = randomRequests(random);
      const statuses = new Set<number>();
      for (let call = 0; call < CALLS; call += 1) {
        const request = requests.next().value;
        const apiKey = setting.keys[Math.floor(random() * setting.keys.length)] ?? '';
        const before = ids;
        let expected: unknown;
        for (const [name, api] of services) {
          ids = before;
          const answer = await answerOf(api, request, apiKey);
          expected ??= answer;
          expect(answer, `call ${call} of ${apiKey} over ${name}: ${JSON.stringify(request)}`).toEqual(
            expected,
          );
          statuses.add(answer.status);
        }
      }
      for (const status of [200, 201, 400, 404, 409]) expect(statuses).toContain(status);
      const logged = [...services.values()].flatMap((api) => api.logged);
      expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
      // The test's own session says not whose rows it wants, and so sees none where they are isolated.
      const open = [...services].filter(([name]) => name !== 'thin' || !setting.direct.isolatesRows);
      const rows = await Promise.all(open.map(([, api]) => api.countRows()));
      expect(new Set(rows).size).toBe(1);
    },
    180_000,
  );
});
