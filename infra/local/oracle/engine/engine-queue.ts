import { OracleError } from '../sql/oracle-error.ts';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets one session at a time use the engine, in the order they asked: PGlite has one connection, so a session with
 * an open transaction holds it and the others wait.
 */
export class EngineQueue {
  readonly #waiting: Waiting[] = [];
  #isHeld = false;
  #isClosed = false;

  /**
   * Resolves when it is the caller's turn; `release` ends the turn. ORA-01089 once the engine is closed; rejects with
   * the signal's reason when that is aborted before.
   */
  async acquire(cancellation?: AbortSignal): Promise<void> {
    this.checkOpen();
    if (!this.#isHeld) {
      this.#isHeld = true;
      return;
    }
    const turn = new Promise<void>((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.push(waiting);
      cancellation?.addEventListener('abort', () => this.#leave(waiting, cancellation.reason), {
        once: true,
      });
    });
    await turn;
  }

  #leave(waiting: Waiting, reason: unknown): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      waiting.reject(reason);
    }
  }

  /** The turn, when nobody has it; undefined otherwise. */
  acquireIfIdle(): Promise<void> | undefined {
    return this.#isHeld ? undefined : this.acquire();
  }

  /** Somebody waits for the turn. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Between two turns the process reads and answers what has arrived: PGlite works in this thread, so that without a pause
   * everyone who waits would be served first, and connections would time out meanwhile.
   */
  release(): void {
    if (this.isAwaited) {
      setImmediate(() => this.#passOn());
    } else {
      this.#isHeld = false;
    }
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isHeld = false;
    } else {
      next.resolve();
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  checkOpen(): void {
    if (this.#isClosed) {
      throw closedError();
    }
  }

  /** Refuses everyone from now on, also those who wait. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(closedError());
    }
  }
}

/** ORA-01089, which ends whatever still runs when the engine closes. */
export function closedError(): OracleError {
  return new OracleError(1089, 'immediate shutdown or close in progress - no operations are permitted');
}
