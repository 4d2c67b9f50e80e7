/**
 * Does the work for each item, for a number of them at a time. After a failure nothing more is begun, and what has begun
 * ends before the failure is thrown.
 */
export async function runAtOnce<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failure: { readonly cause: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const item of waiting) {
      if (failure !== undefined) return;
      try {
        await work(item);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure !== undefined) throw failure.cause;
}
