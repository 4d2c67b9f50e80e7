/** Waits for something that may hang. @throws Error when it takes longer than so many milliseconds */
export async function within<Value>(milliseconds: number, outcome: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([outcome, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
