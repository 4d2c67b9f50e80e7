import type { RequestMeter } from '../http/request-meter.ts';

/** What middleware leaves for later stages of one request. */
export interface AppEnvironment {
  Variables: {
    requestId: string;
    meter: RequestMeter;
    operationId: string | undefined;
    /** Whether the request had made its change before, under the same idempotency key. */
    isReplay: boolean | undefined;
  };
}
