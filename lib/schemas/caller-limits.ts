/**
 * The ids that a caller is limited to (HTTP API contract, Callers). An absent list is no limit; an empty one allows nothing.
 * What has no value in a limited dimension is outside; a profile counts by the id of its user or agent.
 */
export interface CallerLimits {
  readonly users?: readonly string[] | undefined;
  readonly agents?: readonly string[] | undefined;
  readonly threads?: readonly string[] | undefined;
}

/** Of the service itself and of callers that may see everything. */
export const UNLIMITED: CallerLimits = Object.freeze({});

/** Whether any dimension is limited. */
export function isLimited({ users, agents, threads }: CallerLimits): boolean {
  return users !== undefined || agents !== undefined || threads !== undefined;
}
