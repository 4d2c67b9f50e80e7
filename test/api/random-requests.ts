import { jsonRequest } from './api-fixture.ts';

/** One call of the API, as it goes to every service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string | undefined;
}

type Random = () => number;
type Maker = (draw: Draw) => ApiRequest;

const IDS = ['ann', 'bob', 'a'.repeat(128), 'émile', "o'hara", 'say "hi"', '%_\\', '😀', 'A B', 'Ann'];
const RECORD_IDS = ['r1', 'r2', 'r3', 'r"4', "r'5", 'r%_6', '😀7', 'R1'];
const CONTENTS = [
  'I live in Porto and I prefer trains over planes.',
  "Please don't mention peanuts; I'm allergic.",
  'Ann said: "naïve café" 😀👩‍👩‍👧 and left.',
  ' leading and trailing \t',
  'line one\nline two\r\nline three \u2028 four',
  '{"a": [1, null, "x"]} :bind &subst; -- comment /* other */',
  `${'The river is long. '.repeat(1_800)}😀`,
  `${'é'.repeat(2_000)}`,
  `${'x'.repeat(4_000)}`,
  'x',
];
const METADATA = [
  { topic: 'food' },
  { topic: "o'hara", 'a"b': 1, deep: { list: [1, 'two', null, true] } },
  { 'a.b': '😀', empty: '', blank: ' ', number: -0.000_001, large: 9_007_199_254_740_991 },
  {},
  null,
];
const FILTERS = [
  { topic: 'food' },
  { topic: { $not: 'food' } },
  { topic: { $any: ["o'hara", 'food'] } },
  { number: -0.000_001 },
  { 'a"b': 1 },
  null,
];
const QUERIES = ['trains', 'peanuts and "cafés"', '😀', "don't", '%', '{} AND NOT (', 'x '.repeat(60)];
const TYPES = ['memory', 'fact', 'preference', 'guideline'] as const;
const RECORD_TYPES = ['message', ...TYPES, 'user_profile', 'agent_profile'] as const;
const TIMES = ['2026-01-01T00:00:00Z', '2025-12-31T23:59:59.999+05:30', '1999-06-01T12:00:00.5-04:00'];

/** Values that a random source chooses. */
class Draw {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  of<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.random() * values.length)];
    if (value === undefined) throw new Error('nothing to draw from');
    return value;
  }

  up(to: number): number {
    return Math.floor(this.random() * (to + 1));
  }

  /** The members that chance leaves in. */
  some(members: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    const kept = Object.entries(members).filter(() => this.random() < 0.4);
    return Object.fromEntries(kept.map(([name, make]) => [name, make()]));
  }

  part(values: readonly string[] = IDS): string {
    return encodeURIComponent(this.of(values));
  }

  query(members: Readonly<Record<string, () => unknown>>): string {
    const entries = Object.entries(this.some(members)).map(([name, value]) => [name, String(value)]);
    return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  }

  owners(): Record<string, unknown> {
    const id = () => this.of<string | null>([...IDS, null, null]);
    return this.some({ userId: id, agentId: id, threadId: id });
  }

  search(): Record<string, unknown> {
    const flag = () => this.random() < 0.5;
    return {
      ...this.owners(),
      ...this.some({
        exactUserMatch: flag,
        exactAgentMatch: flag,
        exactThreadMatch: flag,
        recordTypes: () =>
          [this.of(RECORD_TYPES), this.of(TYPES)].filter((a, i, all) => all.indexOf(a) === i),
        metadataFilter: () => this.of(FILTERS),
      }),
    };
  }

  expiry(): Record<string, unknown> {
    return this.some({
      ttlDays: () => 1 + this.up(3),
      ttlAnchor: () => this.of(['created_at', 'timestamp']),
    });
  }
}

const metadata = (draw: Draw) => ({ metadata: () => draw.of(METADATA) });
const timed = (draw: Draw) => ({ timestamp: () => draw.of(TIMES) });

const memory = (draw: Draw) => ({
  content: draw.of(CONTENTS),
  memoryId: draw.of(RECORD_IDS),
  ...draw.some({ memoryType: () => draw.of(TYPES), ...metadata(draw), ...timed(draw) }),
  ...draw.expiry(),
});
const memoryChange = (draw: Draw) =>
  draw.some({ content: () => draw.of(CONTENTS), ...metadata(draw), ...timed(draw) });
const message = (draw: Draw) => ({
  role: draw.of(['user', 'assistant', 'tool "x"', '😀']),
  content: draw.of(CONTENTS),
  ...draw.some({ id: () => draw.of(RECORD_IDS), ...metadata(draw), ...timed(draw) }),
});
const page = (draw: Draw) => ({ limit: () => 1 + draw.up(4) });
const profileKind = (draw: Draw) =>
  draw.of([
    { path: 'users', id: 'userId' },
    { path: 'agents', id: 'agentId' },
  ]);

const MAKERS: readonly Maker[] = [
  (draw) => ({
    method: 'POST',
    path: '/threads',
    body: {
      threadId: draw.of(IDS),
      ...draw.some({ userId: () => draw.of(IDS), agentId: () => draw.of(IDS), ...metadata(draw) }),
    },
  }),
  (draw) => ({ method: 'GET', path: `/threads${draw.query({ userId: () => draw.of(IDS), ...page(draw) })}` }),
  (draw) => ({ method: 'GET', path: `/threads/${draw.part()}` }),
  (draw) => ({
    method: 'PATCH',
    path: `/threads/${draw.part()}`,
    body: draw.some({ ...metadata(draw), contextCardTokenLimit: () => 500 + draw.up(3_000) }),
  }),
  (draw) => (draw.up(3) > 0 ? threadMessages(draw) : { method: 'DELETE', path: `/threads/${draw.part()}` }),
  threadMessages,
  threadMessages,
  (draw) => ({
    method: 'GET',
    path: `/threads/${draw.part()}/messages${draw.query({ start: () => draw.up(3), end: () => draw.up(6) })}`,
  }),
  (draw) => ({
    method: 'PATCH',
    path: `/threads/${draw.part()}/messages/${draw.part(RECORD_IDS)}`,
    body: draw.some({ content: () => draw.of(CONTENTS), ...metadata(draw) }),
  }),
  (draw) => ({ method: 'DELETE', path: `/threads/${draw.part()}/messages/${draw.part(RECORD_IDS)}` }),
  (draw) => ({
    method: 'POST',
    path: `/threads/${draw.part()}/memories`,
    body: { ...memory(draw), ...draw.owners() },
  }),
  (draw) => ({
    method: 'PATCH',
    path: `/threads/${draw.part()}/memories/${draw.part(RECORD_IDS)}`,
    body: memoryChange(draw),
  }),
  (draw) => ({ method: 'DELETE', path: `/threads/${draw.part()}/memories/${draw.part(RECORD_IDS)}` }),
  (draw) => ({ method: 'POST', path: '/memories', body: { ...memory(draw), ...draw.owners() } }),
  (draw) => ({
    method: 'GET',
    path: `/memories${draw.query({ userId: () => draw.of(IDS), memoryType: () => draw.of(TYPES), ...page(draw) })}`,
  }),
  (draw) => ({ method: 'GET', path: `/memories/${draw.part(RECORD_IDS)}` }),
  (draw) => ({ method: 'PATCH', path: `/memories/${draw.part(RECORD_IDS)}`, body: memoryChange(draw) }),
  (draw) => ({ method: 'DELETE', path: `/memories/${draw.part(RECORD_IDS)}` }),
  (draw) => {
    const { path, id } = profileKind(draw);
    const body = { [id]: draw.of(IDS), information: draw.of(CONTENTS), ...draw.some(metadata(draw)) };
    return { method: 'POST', path: `/${path}`, body };
  },
  (draw) => ({ method: 'GET', path: `/${profileKind(draw).path}${draw.query(page(draw))}` }),
  (draw) => ({ method: 'GET', path: `/${profileKind(draw).path}/${draw.part()}` }),
  (draw) => ({
    method: 'PATCH',
    path: `/${profileKind(draw).path}/${draw.part()}`,
    body: draw.some({ information: () => draw.of(CONTENTS), ...metadata(draw) }),
  }),
  (draw) => {
    const query = draw.query({ cascade: () => draw.random() < 0.3, dryRun: () => draw.random() < 0.7 });
    return { method: 'DELETE', path: `/${profileKind(draw).path}/${draw.part()}${query}` };
  },
  (draw) => ({
    method: 'POST',
    path: '/records',
    body: {
      recordType: draw.of(TYPES),
      contents: [draw.of(CONTENTS), null],
      recordIds: [draw.of(RECORD_IDS), draw.of(RECORD_IDS)],
      ...draw.some({ metadata: () => draw.of(METADATA), userIds: () => draw.of(IDS) }),
      ...draw.expiry(),
    },
  }),
  (draw) => ({
    method: 'POST',
    path: '/records/list',
    body: {
      recordType: draw.of(RECORD_TYPES),
      ...draw.owners(),
      ...draw.some({ metadataFilter: () => draw.of(FILTERS), ...page(draw) }),
    },
  }),
  (draw) => ({
    method: 'POST',
    path: '/records/search',
    body: { query: draw.of(QUERIES), k: 1 + draw.up(9), ...draw.search() },
  }),
  (draw) => ({ method: 'GET', path: `/records/${draw.of(RECORD_TYPES)}/${draw.part(RECORD_IDS)}` }),
  (draw) => ({
    method: 'PATCH',
    path: `/records/${draw.of(TYPES)}/${draw.part(RECORD_IDS)}`,
    body: draw.some({
      content: () => draw.of([...CONTENTS, null]),
      indexText: () => draw.of([...CONTENTS, null]),
      ...metadata(draw),
      ...timed(draw),
    }),
  }),
  (draw) => ({ method: 'DELETE', path: `/records/${draw.of(RECORD_TYPES)}/${draw.part(RECORD_IDS)}` }),
  (draw) => ({
    method: 'POST',
    path: '/search',
    body: { query: draw.of(QUERIES), userId: draw.of(IDS), ...draw.search() },
  }),
  (draw) => ({
    method: 'POST',
    path: `/threads/${draw.part()}/search`,
    body: { query: draw.of(QUERIES), ...draw.search() },
  }),
  (draw) => ({ method: 'POST', path: `/threads/${draw.part()}/context-card`, body: {} }),
  (draw) => ({
    method: 'POST',
    path: `/threads/${draw.part()}/summary`,
    body: draw.some({ exceptLast: () => draw.up(3) }),
  }),
  (draw) => ({ method: 'GET', path: `/threads/${draw.part()}/extraction` }),
  (draw) => ({ method: 'GET', path: `/jobs${draw.query({ threadId: () => draw.of(IDS), ...page(draw) })}` }),
];

function threadMessages(draw: Draw): ApiRequest {
  const messages = Array.from({ length: 1 + draw.up(3) }, () => message(draw));
  return {
    method: 'POST',
    path: `/threads/${draw.part()}/messages`,
    body: {
      messages,
      ...draw.some({ metadata: () => draw.of([METADATA[0], METADATA[1]]) }),
      ...draw.expiry(),
    },
  };
}

/** Calls of every operation with ordinary and odd values; some repeat an idempotency key with the same or another body. */
export function* randomRequests(random: Random): Generator<ApiRequest, never> {
  const draw = new Draw(random);
  let lastWithKey: ApiRequest | undefined;
  for (;;) {
    if (lastWithKey !== undefined && random() < 0.04) yield lastWithKey;
    const request = draw.of(MAKERS)(draw);
    const key = request.method === 'POST' && random() < 0.15 ? `key-${draw.up(40)}` : undefined;
    if (key !== undefined) lastWithKey = { ...request, key };
    yield { ...request, key };
  }
}

/** The request as `fetch` takes it. */
export function requestInit({ method, body, key }: ApiRequest): RequestInit {
  const init = body === undefined ? { method } : jsonRequest(method, body);
  const headers = new Headers(init.headers);
  headers.set('X-Request-Id', 'same');
  if (key !== undefined) headers.set('Idempotency-Key', key);
  return { ...init, headers };
}
