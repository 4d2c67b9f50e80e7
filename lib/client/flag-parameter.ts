/** A flag as a query parameter writes it; undefined is left out. */
export function flagParameter(value: boolean | undefined): 'true' | 'false' | undefined {
  return value === undefined ? undefined : `${value}`;
}
