import type { OracleSession } from '../engine/oracle-engine.ts';
import { OracleError } from '../sql/oracle-error.ts';
import { ConnectionCutError } from './connection-cut-error.ts';

const TRANSACTION_ROLLED_BACK = 2091;

/** Losing the answer after the commit is a fault that tests inject; it must not look like a failed statement. */
export async function commitSession(session: OracleSession): Promise<void> {
  try {
    await session.commit();
  } catch (error) {
    if (error instanceof OracleError && error.number === TRANSACTION_ROLLED_BACK) {
      throw error;
    }
    throw new ConnectionCutError('the connection was lost after the commit', { cause: error });
  }
}
