import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import {
  DEFAULT_WAIT_SECONDS,
  type FinishedExtraction,
  type WaitForExtractionOptions,
  type WaitForExtractionResponse,
  waitForExtractionOptionsSchema,
} from '../schemas/extraction-wait.ts';
import { waitForExtractionContract } from '../schemas/operations/jobs.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import type { HttpConnection } from './http-connection.ts';

/** What the service may use of a request's time, so that its answer comes before the connection gives it up. */
const USABLE_PART = 0.8;
/** Between two requests, so that a service which ends each at once is not asked without a pause; it doubles with each failure. */
const PAUSE_MILLISECONDS = 250;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** Requests in a row that may fail for a reason that passes: with their pauses they take about a minute. */
const OUTLASTED_FAILURES = 12;

/**
 * Asks again, from where the last answer stopped, until the jobs have ended or the time is over: a service ends each
 * request after its own limit (HTTP API contract, waitForExtraction). The jobs are in the database, so a service that is
 * away for up to a minute, or slower than one request of this client may be, does not end the wait.
 *
 * @throws AgentMemoryError `timeout` when the time is over, and what a request throws
 */
export async function waitForExtraction(
  connection: HttpConnection,
  threadId: string,
  options: WaitForExtractionOptions,
): Promise<FinishedExtraction> {
  const { timeoutSeconds = DEFAULT_WAIT_SECONDS } = parseRequest(waitForExtractionOptionsSchema, options);
  const end = timeoutSeconds === null ? Number.POSITIVE_INFINITY : Date.now() + timeoutSeconds * 1_000;
  let watermark: string | undefined;
  let failures = 0;
  for (;;) {
    const remaining = Math.max(0, (end - Date.now()) / 1_000);
    try {
      const answer = await ask(connection, threadId, watermark, remaining);
      if (answer.status === 'completed') return { succeeded: answer.succeeded, failed: answer.failed };
      watermark = answer.watermark;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (remaining === 0 || failures > OUTLASTED_FAILURES || !isAbsence(error)) throw error;
    }
    await connection.wait(Math.min(PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS));
  }
}

/** A service that is away, or that did not answer in the time of a request; the time of a wait being over is its answer. */
function isAbsence(error: unknown): boolean {
  if (!AgentMemoryError.is(error)) return false;
  if (error.code === 'timeout') return watermarkOf(error) === undefined;
  return error.code === 'unavailable' || error.code === 'rate_limited';
}

/** One request. Its own time being over is no end while there is more. */
async function ask(
  connection: HttpConnection,
  threadId: string,
  watermark: string | undefined,
  remaining: number,
): Promise<WaitForExtractionResponse> {
  const timeoutSeconds = Math.min(remaining, connection.requestSeconds * USABLE_PART);
  try {
    return await connection.call(waitForExtractionContract, {
      parameters: { threadId },
      query: {},
      body: { timeoutSeconds, watermark },
    });
  } catch (error) {
    const reached = timeoutSeconds < remaining ? watermarkOf(error) : undefined;
    if (reached === undefined) throw error;
    return { status: 'pending', watermark: reached, pending: 0 };
  }
}

function watermarkOf(error: unknown): string | undefined {
  if (!AgentMemoryError.is(error) || error.code !== 'timeout') return undefined;
  const { watermark } = error.details;
  return typeof watermark === 'string' ? watermark : undefined;
}
