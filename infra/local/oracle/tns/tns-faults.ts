/**
 * Calls of a client that a fault can be planned for. `define` is the second call of a new query with LOB, JSON or VECTOR
 * columns, in which the driver says what it wants them as.
 */
export type FaultedCall = 'login' | 'execute' | 'define' | 'fetch' | 'commit' | 'rollback' | 'ping' | 'lob';

/** What goes wrong with one call of the TNS listener. */
export type TnsFault =
  /** Nothing: the call runs as it is. It stands for the calls before the one that fails. */
  | { readonly kind: 'none' }
  /**
   * Fails with this ORA number and is not run. At login the listener refuses numbers from 12500 to 12699 before it
   * accepts the connection; the server answers any other number to the password.
   */
  | { readonly kind: 'raise'; readonly number: number; readonly text?: string }
  /**
   * The connection ends before the call is run, or after it was run and, where it asks for that, committed; `within`: in
   * the middle of its answer.
   */
  | { readonly kind: 'cut'; readonly when: 'before' | 'after' | 'within' }
  /** The call waits for this before it is run, or its answer waits after it was run. */
  | { readonly kind: 'wait'; readonly until: Promise<void> }
  | { readonly kind: 'hold'; readonly until: Promise<void> };

const LISTENER_NUMBERS = { first: 12_500, last: 12_699 } as const;

/** Faults for the next calls of each kind, one each, in order; afterwards calls are answered normally. */
export class TnsFaults {
  readonly #planned = new Map<FaultedCall, TnsFault[]>();

  plan(call: FaultedCall, ...faults: readonly TnsFault[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...faults]);
  }

  /** The number to refuse a connection with, when that is planned for the next login. */
  takeRefusal(): number | undefined {
    const fault = this.#planned.get('login')?.[0];
    if (
      fault?.kind !== 'raise' ||
      fault.number < LISTENER_NUMBERS.first ||
      fault.number > LISTENER_NUMBERS.last
    ) {
      return undefined;
    }
    this.take('login');
    return fault.number;
  }

  /** The fault of a call that begins now; undefined for none. */
  take(call: FaultedCall): TnsFault | undefined {
    return this.#planned.get(call)?.shift();
  }
}
