import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { NDJSON, writeNdjson } from '../../lib/schemas/ndjson.ts';
import type { RequestBudget } from '../request-budget.ts';
import type { StreamedLines } from '../streamed-lines.ts';

/** An answer that is being sent. */
export interface StreamedResponse {
  readonly response: Response;
  /** When nothing more is sent: undefined for a whole answer, else what broke it off. Never rejects. */
  readonly ended: Promise<unknown>;
}

const encoder = new TextEncoder();

/**
 * Sends lines of JSON page by page, each read when whoever takes the answer has room for it, within the budget of the request.
 * A page that fails breaks the answer off: its last lines are missing, and a platform that sends as it reads resets the
 * connection, while one that buffers has a failure instead of an answer.
 */
export function respondWithLines(
  { first, rest }: StreamedLines<unknown>,
  budget: RequestBudget,
  status: number,
): StreamedResponse {
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  let abort = (): void => undefined;
  let isOver = false;
  const end = (failure: unknown): boolean => {
    if (isOver) return false;
    isOver = true;
    budget.signal.removeEventListener('abort', abort);
    resolve(failure);
    return true;
  };
  const fail = (controller: ReadableStreamDefaultController, cause: unknown): void => {
    const failure = budget.explain(cause);
    if (end(failure)) controller.error(withoutInside(failure));
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      controller.enqueue(encode(first));
      abort = () => fail(controller, budget.signal.reason);
      budget.signal.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      try {
        const page = await rest.next();
        if (isOver) return;
        if (!page.done) controller.enqueue(encode(page.value));
        else if (end(undefined)) controller.close();
      } catch (cause) {
        fail(controller, cause);
      }
    },
    async cancel(cause) {
      end(new AgentMemoryError('unavailable', 'the caller has gone', { cause }));
      await rest.return();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 });
  return { response: new Response(body, { status, headers: { 'Content-Type': NDJSON } }), ended };
}

function encode(lines: readonly unknown[]): Uint8Array {
  return encoder.encode(writeNdjson({ lines }));
}

/** Runtimes print what breaks an answer off, so it has neither causes nor a text from inside. */
function withoutInside(failure: unknown): AgentMemoryError {
  return AgentMemoryError.is(failure) && failure.code !== 'internal'
    ? new AgentMemoryError(failure.code, failure.message)
    : new AgentMemoryError('internal', 'the answer could not be completed');
}
