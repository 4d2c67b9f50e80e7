import { handle, type LambdaContext } from 'hono/aws-lambda';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import { type App, type AppOptions, createApp, createFailingApp } from '../app.ts';
import { createJsonLogger } from '../http/logger.ts';
import type { Operation } from '../operation.ts';
import type { Services } from '../services.ts';
import { correctEvent, type HttpEvent, refuseDecodedPath, refuseDotSegments } from './lambda-event.ts';
import { type LambdaParts, openLambdaServices, writeLine } from './lambda-services.ts';
import { withoutTokenizer } from './load-tokenizer.ts';
import { withoutJobQueue } from './without-job-queue.ts';

export type LambdaHandler = (
  event: HttpEvent,
  lambdaContext?: LambdaContext,
) => ReturnType<ReturnType<typeof handle>>;

/** Every answer is text, lines of JSON and event streams too; in base64 a gateway would hand it on as it is. */
const TEXT_ONLY = { isContentTypeBinary: () => false };

const FAILURE_LOGGER = /* @__PURE__ */ createJsonLogger('error', writeLine);

/**
 * The AWS Lambda handler of some operations: composition root of that runtime. What it builds at the first event
 * serves the life of the execution environment; nothing connects before. Entries whose operations need the tokenizer
 * pass its loader and so bundle it; those that wake jobs pass what makes the queue,
 * and one that serves more than operations passes what mounts it.
 */
export function lambdaHandler(
  operations: readonly Operation[],
  loadTokenizer: () => Promise<Tokenizer> = withoutTokenizer,
  createJobQueue: LambdaParts['createJobQueue'] = withoutJobQueue,
  mountMore?: AppOptions['mountMore'],
): LambdaHandler {
  return createLambdaHandler(
    operations,
    () => openLambdaServices({ loadTokenizer, createJobQueue }),
    mountMore,
  );
}

/** The same over services that are opened otherwise. They are asked for until they are there, and then kept. */
export function createLambdaHandler(
  operations: readonly Operation[],
  openServices: () => Promise<Services>,
  mountMore?: AppOptions['mountMore'],
): LambdaHandler {
  let app: App | undefined;
  return async (event, lambdaContext) => {
    const corrected = correctEvent(event);
    try {
      refuseDotSegments(corrected);
      refuseDecodedPath(event);
      app ??= createApp({ operations, mountMore, services: await openServices() });
      return await handle(app, TEXT_ONLY)(corrected, lambdaContext);
    } catch (error) {
      return handle(createFailingApp(failureOf(error), FAILURE_LOGGER), TEXT_ONLY)(corrected, lambdaContext);
    }
  };
}

function failureOf(error: unknown): AgentMemoryError {
  return AgentMemoryError.is(error)
    ? error
    : new AgentMemoryError('internal', 'the event failed', { cause: error });
}
