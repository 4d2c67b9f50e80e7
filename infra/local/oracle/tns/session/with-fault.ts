import { untilCancelled } from '../../engine/until-cancelled.ts';
import { ConnectionCutError } from '../../ords/connection-cut-error.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { TnsFault } from '../tns-faults.ts';

/** How a call ended: `fatal` ends the connection after the answer, `cut` in the middle of it. */
export type Ending = 'answered' | 'unanswered' | 'fatal' | 'cut';

/** Runs a call as its fault wants it. Waiting ends when the call is interrupted. */
export async function withFault(
  fault: TnsFault | undefined,
  interruption: AbortSignal,
  work: () => Promise<Ending>,
): Promise<Ending> {
  switch (fault?.kind) {
    case 'raise':
      throw new OracleError(fault.number, fault.text ?? 'raised for a test');
    case 'cut': {
      if (fault.when !== 'before') {
        await work();
      }
      if (fault.when === 'within') {
        return 'cut';
      }
      throw new ConnectionCutError(`the connection was cut ${fault.when} the call`);
    }
    case 'wait':
      await untilCancelled(fault.until, interruption);
      return work();
    case 'hold': {
      const result = await work();
      await untilCancelled(fault.until, interruption);
      return result;
    }
    default:
      return work();
  }
}
