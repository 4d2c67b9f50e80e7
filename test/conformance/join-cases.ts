/** The cases of several files by title. Throws for a title that two of them use: one of the cases would not run. */
export function joinCases<Case>(
  ...groups: readonly Readonly<Record<string, Case>>[]
): Readonly<Record<string, Case>> {
  const joined = new Map<string, Case>();
  for (const [title, each] of groups.flatMap((group) => Object.entries(group))) {
    if (joined.has(title)) throw new Error(`Two conformance cases have the title "${title}".`);
    joined.set(title, each);
  }
  return Object.fromEntries(joined);
}
