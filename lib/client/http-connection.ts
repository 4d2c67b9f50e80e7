import * as z from 'zod';
import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { NDJSON, readNdjson, writeNdjson } from '../schemas/ndjson.ts';
import { type OperationContract, takesBody, takesIdempotencyKey } from '../schemas/operation-contract.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import { problemError, unreadableAnswer } from './problem-error.ts';

/** The part of `fetch` that the client uses, so that an app in the same process can stand in for the network. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Where a service is, and how its client calls it. */
export interface AgentMemoryClientOptions {
  /** Address of the service without `/v1`: `https://memory.example.com`. */
  readonly baseUrl: string;
  /** Sent as a bearer credential. */
  readonly apiKey?: string;
  /** @default the global `fetch` */
  readonly fetch?: Fetch;
  /**
   * How often a request is repeated when the service cannot be reached or is unavailable: reads, and writes that an
   * idempotency key makes safe. Changes and deletions are never repeated. @default 2
   */
  readonly retries?: number;
  /** Milliseconds that one request may take. @default 60000 */
  readonly timeoutMilliseconds?: number;
  /** @default a timer */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly contentType: string;
  readonly accept: string;
  readonly idempotencyKey: string | undefined;
}

export interface CallInput<Parameters extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  readonly parameters: z.input<Parameters>;
  readonly query: z.input<Query>;
  readonly body: z.input<Body>;
}

const BASE_PATH = '/v1';
const LONGEST_WAIT_SECONDS = 10;
const REQUEST_MILLISECONDS = 60_000;

/** An address that paths can be put behind. */
function isServiceAddress(value: string): boolean {
  if (!/^https?:/i.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return [username, password, search, hash].every((part) => part === '');
}

const callable = z.custom((value) => typeof value === 'function', 'must be a function');
const optionsSchema = z.strictObject({
  baseUrl: z
    .string()
    .refine(isServiceAddress, 'must be an http or https URL without credentials, query or fragment'),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters, as a header can carry them')
    .optional(),
  fetch: callable.optional(),
  retries: z.int().min(0).max(100).optional(),
  timeoutMilliseconds: z.int().min(1).max(2_147_483_647).optional(),
  wait: callable.optional(),
});

/** Sends the requests of contracts and reads their answers. */
export class HttpConnection {
  readonly #options: AgentMemoryClientOptions;
  readonly #baseUrl: string;

  /** @throws AgentMemoryError `invalid_request` naming the option */
  constructor(options: AgentMemoryClientOptions) {
    parseRequest(optionsSchema, options);
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '') + BASE_PATH;
  }

  /** Seconds that one request may take. */
  get requestSeconds(): number {
    return (this.#options.timeoutMilliseconds ?? REQUEST_MILLISECONDS) / 1_000;
  }

  /**
   * Checks the input as the server would, sends it and checks the answer. What takes an idempotency key is sent with one,
   * so that it can be repeated when its answer was lost.
   *
   * @param idempotencyKey The caller's own key. @default a new one for each call
   * @throws AgentMemoryError with the code, the issues and (in `details`) the request id of a problem answer;
   * `invalid_request` before anything is sent; `unavailable` when the service cannot be reached or its answer breaks off
   */
  async call<
    Parameters extends z.ZodType,
    Query extends z.ZodType,
    Body extends z.ZodType,
    Answer extends z.ZodType,
  >(
    contract: OperationContract<Parameters, Query, Body, Answer>,
    input: CallInput<Parameters, Query, Body>,
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<z.output<Answer>> {
    const url = this.#baseUrl + requestTarget(contract, input);
    parseRequest(contract.body, input.body);
    const isKeyed = takesIdempotencyKey(contract);
    const request: HttpRequest = {
      method: contract.method.toUpperCase(),
      url,
      body: takesBody(contract) ? writeBody(contract, input.body) : undefined,
      contentType: contract.bodyFormat === 'ndjson' ? NDJSON : 'application/json',
      accept: contract.responseFormat === 'ndjson' ? NDJSON : 'application/json',
      idempotencyKey: isKeyed ? idempotencyKey : undefined,
    };
    const text = await this.#sendWithRetries(request, contract.readOnly || isKeyed);
    const answer = contract.response.safeParse(parseAnswer(contract, text));
    if (answer.success) return answer.data;
    throw unreadableAnswer(answer.error);
  }

  async #sendWithRetries(request: HttpRequest, isRepeatable: boolean): Promise<string> {
    const attempts = isRepeatable ? (this.#options.retries ?? 2) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#send(request);
      } catch (error) {
        if (attempt >= attempts || !isWorthRepeating(error)) throw error;
        const seconds =
          (AgentMemoryError.is(error) ? error.retryAfterSeconds : undefined) ?? 0.2 * 2 ** attempt;
        await this.wait(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1_000);
      }
    }
  }

  async #send({ method, url, body, contentType, accept, idempotencyKey }: HttpRequest): Promise<string> {
    const {
      apiKey,
      fetch: send = globalThis.fetch,
      timeoutMilliseconds = REQUEST_MILLISECONDS,
    } = this.#options;
    const headers = new Headers({ Accept: accept });
    if (apiKey !== undefined) headers.set('Authorization', `Bearer ${apiKey}`);
    if (body !== undefined) headers.set('Content-Type', contentType);
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
    const { response, text } = await receive(() => send(url, init), signal);
    if (response.ok) return text;
    throw problemError(response, text);
  }

  wait(milliseconds: number): Promise<void> {
    const timer = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));
    return (this.#options.wait ?? timer)(milliseconds);
  }
}

/** Path and query of a request. */
function requestTarget(
  contract: OperationContract,
  input: { readonly parameters: unknown; readonly query: unknown },
): string {
  const parameters = new Map(Object.entries(Object(parseRequest(contract.parameters, input.parameters))));
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.get(name))),
  );
  parseRequest(contract.query, input.query);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(input.query))) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

async function receive(
  send: () => Response | Promise<Response>,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  let response: Response | undefined;
  try {
    response = await send();
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal.aborted) {
      throw new AgentMemoryError('timeout', 'the memory service took too long', { cause });
    }
    const message =
      response === undefined
        ? 'the memory service cannot be reached'
        : 'the answer of the memory service broke off';
    throw new AgentMemoryError('unavailable', message, { cause });
  }
}

/** A conflict that says when to come again is a first request with this key that still runs. */
function isWorthRepeating(error: unknown): boolean {
  if (!AgentMemoryError.is(error)) return false;
  if (error.code === 'conflict') return error.retryAfterSeconds !== undefined;
  return error.code === 'unavailable' || error.code === 'rate_limited';
}

/** What has members `lines` is sent as lines of JSON where the contract says so. */
function writeBody({ bodyFormat }: OperationContract, body: unknown): string {
  const lines: unknown = Object(body).lines;
  return bodyFormat === 'ndjson' && Array.isArray(lines) ? writeNdjson({ lines }) : JSON.stringify(body);
}

function parseAnswer({ responseFormat }: OperationContract, text: string): unknown {
  if (responseFormat !== 'ndjson') return parseJson(text);
  try {
    return readNdjson(text);
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
}
