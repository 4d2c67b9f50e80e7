import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AGENT_ID, THREAD_ID, USER_ID } from '../../functions/openapi-examples/example-values.ts';
import { type OperationContract, takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { type ApiFixture, costsOf, jsonRequest, startApi } from './api-fixture.ts';
import { mutations } from './hostile-values.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

let api: ApiFixture;
let rowsBefore = 0;

beforeAll(async () => {
  api = await startApi();
  await api.client.createThread({ threadId: THREAD_ID, userId: USER_ID, agentId: AGENT_ID });
  rowsBefore = await api.countRows();
});
afterAll(async () => {
  const rowsAfter = await api.countRows();
  await api.close();
  expect(rowsAfter).toBe(rowsBefore);
});

function validRequest(contract: OperationContract) {
  const request = VALID_REQUESTS[contract.id];
  if (request === undefined) throw new Error(`no valid request for ${contract.id}`);
  return request;
}

function target(
  contract: OperationContract,
  change: Readonly<Record<string, string>> = {},
  query?: string,
): string {
  const { parameters, query: valid } = validRequest(contract);
  const encoded = Object.entries(parameters).map(([name, value]) => [name, encodeURIComponent(value)]);
  const all = { ...Object.fromEntries(encoded), ...change };
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(all[name]));
  const search = query ?? valid;
  return `/v1${path}${search === undefined ? '' : `?${search}`}`;
}

function validInit(contract: OperationContract): RequestInit {
  const { body } = validRequest(contract);
  const method = contract.method.toUpperCase();
  return takesBody(contract) ? jsonRequest(method, body) : { method };
}

/** Sends a request that must be refused before the database is asked, and returns its problem. */
async function refusal(url: string, init: RequestInit, status = 400) {
  const response = await api.app.request(url, init);
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  expect(costsOf(response)).toEqual({ db: 0, embed: 0, llm: 0 });
  const problem = problemSchema.strict().parse(JSON.parse(text));
  expect(problem).toMatchObject({ status, requestId: response.headers.get('X-Request-Id') });
  return problem;
}

const pathsOf = ({ errors = [] }: z.infer<typeof problemSchema>) => [
  ...new Set(errors.map(({ path }) => path)),
];
const withBody = ALL_CONTRACTS.filter(takesBody);
const withParameters = ALL_CONTRACTS.filter(({ path }) => path.includes('{'));

describe.each(withBody.map((contract) => [contract.id, contract] as const))(
  'the body of %s',
  (_, contract) => {
    const method = contract.method.toUpperCase();
    const send = (init: RequestInit, status?: number) =>
      refusal(target(contract), { method, ...init }, status);
    const json = { 'Content-Type': 'application/json' };

    it.each([
      ['no content type', { body: new Uint8Array([0x7b, 0x7d]) }],
      ['text/plain', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
      ['a form', { body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
      ['a lookalike', { body: '{}', headers: { 'Content-Type': 'application/jsonx' } }],
      [
        'another character set',
        { body: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
      ],
      [
        'a content coding',
        { body: '{}', headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' } },
      ],
      ['no body at all', {}],
    ])('is refused with %s', async (_, init) => {
      expect((await send(init, 415)).code).toBe('unsupported_media_type');
    });

    it.each([
      ['nothing', ''],
      ['half an object', '{"a":'],
      ['two objects', '{}{}'],
      ['a comment', '{/* */}'],
      ['NaN', '{"a":NaN}'],
      ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ])('is refused when it is %s', async (_, body) => {
      expect(pathsOf(await send({ body, headers: json }))).toEqual(['body']);
    });

    it.each(['null', '[]', '"a"', '42'])('is refused when it is %s', async (body) => {
      expect((await send({ body, headers: json })).code).toBe('invalid_request');
    });

    it.each(['unknownKey', '__proto__', 'constructor', 'user_id'])(
      'is refused with the key %s',
      async (key) => {
        const body = JSON.stringify(validRequest(contract).body).replace(
          '{',
          `{${JSON.stringify(key)}:{"a":1},`,
        );
        expect(pathsOf(await send({ body, headers: json }))).toEqual([key]);
      },
    );

    it('is refused above the limit, whether its length is declared or not', async () => {
      const body = `{"content":"${'x'.repeat(1_048_576)}"}`;
      expect((await send({ body, headers: json }, 413)).code).toBe('payload_too_large');
      const stream = new Blob([body]).stream();
      const streamed: RequestInit & { duplex: 'half' } = { body: stream, headers: json, duplex: 'half' };
      expect((await send(streamed, 413)).code).toBe('payload_too_large');
    });

    const schema = z.toJSONSchema(contract.body, { io: 'input', unrepresentable: 'any' });
    const cases = mutations(schema, validRequest(contract).body ?? {});
    it.each(cases.map(({ path, description, body }) => [path, description, body] as const))(
      'is refused with %s = %s',
      async (path, _, body) => {
        const problem = await send({ body, headers: json });
        const named = pathsOf(problem).some((each) => each.startsWith(path) || path.startsWith(each));
        expect(named, JSON.stringify(problem.errors)).toBe(true);
        expect(JSON.stringify(problem).length).toBeLessThan(2_000);
      },
    );
  },
);

describe.each(withParameters.map((contract) => [contract.id, contract] as const))(
  'the path of %s',
  (_, contract) => {
    const name = /\{(\w+)\}/.exec(contract.path)?.[1] ?? '';
    it.each(['%', '%zz', '100%', '%ED%A0%80', '%C3', '%00', 'a%0Ab', '%7F', 'x'.repeat(129)])(
      'is refused with the id %s',
      async (id) => {
        const problem = await refusal(target(contract, { [name]: id }), validInit(contract));
        expect(pathsOf(problem)).toEqual([name]);
      },
    );
  },
);

describe.each(ALL_CONTRACTS.map((contract) => [contract.id, contract] as const))(
  'the query of %s',
  (_, contract) => {
    it.each([
      ['unknown=1', 'unknown'],
      ['__proto__=1', '__proto__'],
      ['messageId=message-1', 'messageId'],
      ['again=1&again=2', 'again'],
    ])('is refused with %s', async (query, name) => {
      expect(pathsOf(await refusal(target(contract, {}, query), validInit(contract)))).toEqual([name]);
    });
  },
);

describe('the window of getMessages', () => {
  it.each([
    ['start', '-1'],
    ['start', '1.5'],
    ['start', '1e3'],
    ['start', '0x10'],
    ['start', '-0'],
    ['start', '+5'],
    ['start', ''],
    ['start', 'NaN'],
    ['start', '1152921504606846976'],
    ['end', '-2'],
    ['end', 'Infinity'],
    ['end', '%205'],
  ])('is refused with %s=%s', async (name, value) => {
    expect(pathsOf(await refusal(`/v1/threads/thread-1/messages?${name}=${value}`, {}))).toEqual([name]);
  });

  it('is refused with a parameter given twice', async () => {
    expect(pathsOf(await refusal('/v1/threads/thread-1/messages?start=0&start=1', {}))).toEqual(['start']);
  });
});

const LISTS = ['/v1/memories', '/v1/threads', '/v1/users', '/v1/agents'];

describe.each(LISTS)('the page of %s', (path) => {
  it.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1001'],
    ['limit', '1e9'],
    ['limit', 'abc'],
    ['limit', ''],
    ['limit', '1.5'],
    ['cursor', ''],
    ['cursor', 'abc'],
    ['cursor', '%20'],
    ['cursor', btoa('nothing:1')],
  ])('is refused with %s=%s', async (name, value) => {
    expect(pathsOf(await refusal(`${path}?${name}=${value}`, {}))).toEqual([name]);
  });
});

describe('the conditions of listMemories', () => {
  it.each([
    ['memoryType', 'message'],
    ['memoryType', ''],
    ['status', 'ACTIVE'],
    ['userId', ''],
    ['agentId', '..'],
    ['threadId', 'x'.repeat(129)],
  ])('are refused with %s=%s', async (name, value) => {
    expect(pathsOf(await refusal(`/v1/memories?${name}=${value}`, {}))).toEqual([name]);
  });
});

describe.each(['/v1/users/ana', '/v1/agents/guide'])('a delete of %s', (path) => {
  it.each(['TRUE', '1', 'yes', '', 'null'])('is refused with a flag of %s', async (value) => {
    for (const name of ['cascade', 'dryRun']) {
      expect(pathsOf(await refusal(`${path}?${name}=${value}`, { method: 'DELETE' }))).toEqual([name]);
    }
  });
});

describe('the page of listThreads', () => {
  it.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1000000000'],
    ['limit', '1001'],
    ['limit', 'abc'],
    ['limit', '1.5'],
    ['limit', '1e2'],
    ['limit', ''],
    ['cursor', 'abc'],
    ['cursor', ''],
    ['cursor', 'dGhyZWFkczow%3D'],
    ['cursor', 'bWVtb3JpZXM6Nw'],
    ['cursor', '7'],
    ['userId', ''],
    ['agentId', 'x'.repeat(129)],
  ])('is refused with %s=%s', async (name, value) => {
    expect(pathsOf(await refusal(`/v1/threads?${name}=${value}`, {}))).toEqual([name]);
  });
});

describe('rules between fields', () => {
  it.each([
    ['/v1/search', { query: 'peanuts' }, 'userId'],
    ['/v1/search', { query: 'peanuts', userId: 'ana', exactUserMatch: false }, 'exactUserMatch'],
    ['/v1/search', { query: '  ', userId: 'ana' }, 'query'],
    ['/v1/threads/thread-1/messages', { messages: [] }, 'messages'],
    [
      '/v1/threads/thread-1/messages',
      { messages: Array.from({ length: 501 }, () => ({ role: 'user', content: 'a' })) },
      'messages',
    ],
    [
      '/v1/threads/thread-1/messages',
      { messages: [{ role: 'user', content: 'a' }], ttlDays: [1, 2] },
      'ttlDays',
    ],
  ])('%s is refused with %j', async (url, body, name) => {
    const response = await api.app.request(url, jsonRequest('POST', body));
    expect(response.status).toBe(400);
    expect(pathsOf(problemSchema.parse(await response.json()))[0]).toMatch(new RegExp(`^${name}`));
  });
});
