import type { RequestMeter } from '../http/request-meter.ts';
import type { RateUse } from './rate-limit.ts';

/** What middleware leaves for later stages of one request. */
export interface AppEnvironment {
  Variables: {
    requestId: string;
    meter: RequestMeter;
    operationId: string | undefined;
    /** Whether the request had made its change before, under the same idempotency key. */
    isReplay: boolean | undefined;
    /** Of an answer that is sent while it is read: resolves when that has ended, with what broke it off. */
    answerEnded: Promise<unknown> | undefined;
    /** What the request left of the rate of its caller, if that has one. */
    rateUse: RateUse | undefined;
  };
}
