export interface ChosenTargets {
  readonly chosen: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * The targets that a suite runs over: all of them, or those that a comma-separated wish names.
 *
 * @throws RangeError for a name that no target has: what was asked for must not be left out in silence
 */
export function chooseTargets(known: readonly string[], wish: string | undefined): ChosenTargets {
  const chosen = wish === undefined ? known : wish.split(',').map((name) => name.trim());
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new RangeError(`There is no target ${JSON.stringify(unknown[0])}.`);
  return { chosen, skipped: known.filter((name) => !chosen.includes(name)) };
}
