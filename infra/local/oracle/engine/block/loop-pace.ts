import { setImmediate } from 'node:timers/promises';
import { OracleError } from '../../sql/oracle-error.ts';

const ROUNDS_BETWEEN_PAUSES = 1_000;
/** ORDS gives up a statement after its `jdbc.statementTimeout`; here everyone waits for a loop, so sooner. */
const MAXIMUM_MILLISECONDS = 20_000;

/** Lets the process do other work while a block loops, and ends loops that would never end. */
export class LoopPace {
  readonly #checkRunning: () => void;
  readonly #start = performance.now();
  #rounds = 0;

  constructor(checkRunning: () => void) {
    this.#checkRunning = checkRunning;
  }

  /** Called in each round. ORA-01089 when the engine closes; ORA-01013 after 20 s or when the call is interrupted. */
  async next(): Promise<void> {
    this.#rounds += 1;
    if (this.#rounds % ROUNDS_BETWEEN_PAUSES !== 0) {
      return;
    }
    await setImmediate();
    this.#checkRunning();
    if (performance.now() - this.#start > MAXIMUM_MILLISECONDS) {
      throw new OracleError(1013, 'user requested cancel of current operation');
    }
  }
}
