/** What is used of the context of an invocation of AWS Lambda. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/** Time to hand work back before the platform ends the invocation. */
const HAND_BACK_MILLISECONDS = 10_000;

/** Aborts ten seconds before the invocation ends. */
export function endOfInvocation(context: InvocationContext): AbortSignal {
  return AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - HAND_BACK_MILLISECONDS));
}
