import type { MiddlewareHandler } from 'hono';
import { ConnectionCutError } from './connection-cut-error.ts';

/** What goes wrong with one HTTP request. */
export type HttpFault =
  /** Answered with this instead, as a proxy or an exhausted pool does; a 401 stands for an expired token. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection ends before the request is run, or after it was run and committed. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' }
  /** The request waits for this before it is run. */
  | { readonly kind: 'wait'; readonly until: Promise<void> };

/** Faults for the next requests, one each, in order; afterwards requests are answered normally. */
export class HttpFaults {
  readonly #planned: HttpFault[] = [];

  plan(...faults: readonly HttpFault[]): void {
    this.#planned.push(...faults);
  }

  readonly middleware: MiddlewareHandler = async (context, next) => {
    const fault = this.#planned.shift();
    if (fault?.kind === 'answer') {
      return new Response(fault.body, { status: fault.status, headers: { ...fault.headers } });
    }
    if (fault?.kind === 'cut' && fault.when === 'before') {
      throw new ConnectionCutError('the connection was cut before the request');
    }
    if (fault?.kind === 'wait') {
      await fault.until;
    }
    await next();
    if (fault?.kind === 'cut') {
      throw new ConnectionCutError('the connection was cut before the answer');
    }
    return context.res;
  };
}
