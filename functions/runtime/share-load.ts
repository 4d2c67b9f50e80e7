/**
 * A loader whose concurrent callers wait for one load; a load that failed is forgotten. For processes whose requests may
 * wait for one another's work, which those of a Worker may not.
 */
export function shareLoad<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
