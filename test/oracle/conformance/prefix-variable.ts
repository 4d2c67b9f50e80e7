/** The variable in which the runner tells its workers what the names of this run begin with. */
export const PREFIX_VARIABLE = 'LIVE_PREFIX';
