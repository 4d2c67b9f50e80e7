import type * as z from 'zod';
import { AgentMemoryError, type ErrorIssue } from '../errors/agent-memory-error.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Issues that one error names; a batch of 500 wrong messages needs no more to be understood. */
const ISSUE_LIMIT = 100;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Writes a path as JavaScript does: `messages[3].role`, `metadata["a b"]`; '' is the whole value. */
function formatPath(path: Path): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (IDENTIFIER.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`;
    else text += `[${JSON.stringify(String(key))}]`;
  }
  return text;
}

/** True when a union's branch was simply not the one that was meant: the value has another type. */
function isOtherType(branch: readonly Issue[]): boolean {
  return branch.some((issue) => issue.path.length === 0 && /^invalid_(type|value|union)$/.test(issue.code));
}

/** The branches of a union, with those of a union inside it in its place. */
function flatBranches(branches: readonly (readonly Issue[])[]): readonly (readonly Issue[])[] {
  return branches.flatMap((branch) => {
    const [issue] = branch;
    const isUnion = branch.length === 1 && issue?.code === 'invalid_union' && issue.path.length === 0;
    return isUnion ? flatBranches(issue.errors) : [branch];
  });
}

/** What the branches of a union take, when the value is of none of their types: `int or null`. */
function describeAlternatives(branches: readonly (readonly Issue[])[]): string | undefined {
  const expected = branches.flat().flatMap((issue) => {
    if (issue.path.length > 0) return [];
    if (issue.code === 'invalid_type') return [issue.expected];
    return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
  });
  return expected.length === 0 ? undefined : `Invalid input: expected ${[...new Set(expected)].join(' or ')}`;
}

function expandIssue(issue: Issue, parent: Path): readonly ErrorIssue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: formatPath([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    const branches = flatBranches(issue.errors);
    const meant = branches.find((branch) => branch.length > 0 && !isOtherType(branch));
    if (meant !== undefined) return meant.flatMap((inner) => expandIssue(inner, path));
    const alternatives = describeAlternatives(branches);
    return [{ path: formatPath(path), message: alternatives ?? issue.message }];
  }
  return [{ path: formatPath(path), message: issue.message }];
}

/**
 * What is wrong with a value, one entry a field: paths as JavaScript writes them, each unknown key by its name, and
 * of a union the issues of the branch that was meant. Never holds the value itself.
 */
export function toErrorIssues(error: z.ZodError): ErrorIssue[] {
  return error.issues.flatMap((issue) => expandIssue(issue, [])).slice(0, ISSUE_LIMIT);
}

function describeIssue(issue: ErrorIssue): string {
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`;
}

/** An `invalid_request` from the issues of a schema. Its message names the first few fields. */
export function invalidRequestFrom(error: z.ZodError): AgentMemoryError {
  const issues = toErrorIssues(error);
  const shown = issues.slice(0, 3).map(describeIssue);
  const more = issues.length - shown.length;
  const message = more > 0 ? `${shown.join('; ')} (and ${more} more)` : shown.join('; ');
  return new AgentMemoryError('invalid_request', message, { issues, cause: error });
}

/** Checks a value against a request schema and returns what the schema made of it. Throws `invalid_request`. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequestFrom(parsed.error);
}
