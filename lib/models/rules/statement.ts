export type StatementType = 'memory' | 'fact' | 'preference' | 'guideline';

/** What one sentence of a user says about the user or asks to be kept. */
export interface Statement {
  readonly type: StatementType;
  readonly content: string;
  /** What the statement is about (`home`, `favourite-colour`); only statements of one slot can contradict each other. */
  readonly slot: string;
  /** Whether the slot holds one value at a time, so that a new value replaces the old one. */
  readonly isSingleValued: boolean;
  /** Content words of the value, lower-cased. */
  readonly objects: ReadonlySet<string>;
  /** Whether it denies (`no longer`, `never`, `hates`). */
  readonly isNegative: boolean;
  /** 1 to 5. */
  readonly importance: number;
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared;
}

/** Every statement is compared with many others. */
const plainContents = new WeakMap<Statement, string>();

/** Lower-cased letters and digits only: equal for the same sentence in another spelling of case and punctuation. */
function plainContent(statement: Statement): string {
  const known = plainContents.get(statement);
  if (known !== undefined) return known;
  const plain = statement.content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
  plainContents.set(statement, plain);
  return plain;
}

/** What is preferred, or in Japanese what it is preferred to: tea over coffee is not coffee over tea. */
function firstOf(objects: ReadonlySet<string>): string | undefined {
  return objects.values().next().value;
}

/** Whether `later` says no more than `earlier`, so that keeping the earlier one is enough. */
export function isRepetition(later: Statement, earlier: Statement): boolean {
  if (plainContent(later) === plainContent(earlier)) return true;
  if (later.slot !== earlier.slot || later.isNegative !== earlier.isNegative || later.objects.size === 0)
    return false;
  if (later.slot === 'prefer' && firstOf(later.objects) !== firstOf(earlier.objects)) return false;
  const shared = countShared(later.objects, earlier.objects);
  if (shared < later.objects.size) return false;
  return later.isSingleValued || earlier.objects.size === later.objects.size;
}

/** Whether `later` makes `earlier` untrue: another value of a single-valued slot, or the opposite about the same thing. */
export function contradicts(later: Statement, earlier: Statement): boolean {
  if (later.slot !== earlier.slot || isRepetition(later, earlier)) return false;
  const shared = countShared(later.objects, earlier.objects);
  const isAboutSame = shared > 0 && shared * 2 >= Math.min(later.objects.size, earlier.objects.size);
  if (later.isNegative !== earlier.isNegative) return isAboutSame;
  if (later.isNegative) return false;
  return later.isSingleValued || (later.slot === 'prefer' && isAboutSame);
}

/**
 * Of the statements of one message, leaves out the denial of an old value (`no longer lives in Lisbon`) beside the new
 * one. A denial of what the message itself states stays.
 */
export function dropReplaced(statements: readonly Statement[]): readonly Statement[] {
  const values = new Map(
    statements.filter(({ isNegative }) => !isNegative).map((statement) => [statement.slot, statement]),
  );
  return statements.filter((denial) => {
    if (!denial.isNegative || !denial.isSingleValued) return true;
    const value = values.get(denial.slot);
    return value === undefined || contradicts(denial, value);
  });
}
