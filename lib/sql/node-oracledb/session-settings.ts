import type { DriverPoolOptions, DriverSession } from './oracle-driver.ts';

/** The client's own settings would shift times and reorder text; the driver takes the time zone of the process. */
export const SESSION_SETTINGS =
  "ALTER SESSION SET TIME_ZONE = '+00:00' NLS_SORT = BINARY NLS_COMP = BINARY NLS_NUMERIC_CHARACTERS = '.,'";
const SETTINGS_MILLISECONDS = 5_000;
const failures = new WeakMap<DriverSession, unknown>();

/** Makes what the statements rely on hold in a session; one round trip. */
export async function prepareSession(session: DriverSession): Promise<void> {
  session.callTimeout = SETTINGS_MILLISECONDS;
  await session.execute(SESSION_SETTINGS, {}, {});
}

/**
 * Prepares a new session for its pool. The driver is never told of a failure: it would count the session as given back
 * twice and let more callers wait for sessions than it opens. Whoever gets the session asks `checkPrepared`.
 */
export const prepareNewSession: DriverPoolOptions['sessionCallback'] = (session, _requestedTag, done) => {
  prepareSession(session)
    .catch((error: unknown) => failures.set(session, error))
    .finally(done);
};

/** @throws the driver's error when the session could not be prepared */
export function checkPrepared(session: DriverSession): void {
  if (failures.has(session)) throw failures.get(session);
}
