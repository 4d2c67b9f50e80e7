import type { RequestOwners } from '../../store/requests/recorded-request.ts';
import type { RequestIdentity } from './request-digest.ts';

/** The thread, user and agent that a request is about; null where it names none or several. */
export function requestOwners({ parameters, body }: RequestIdentity): RequestOwners {
  const parts = [Object(parameters), ...bodies(body)];
  const owner = (name: string): string | null => {
    const named = new Set(parts.flatMap((part) => idsOf(part[name]).concat(idsOf(part[`${name}s`]))));
    const [only] = named;
    return named.size === 1 && only !== undefined ? only : null;
  };
  return { threadId: owner('threadId'), userId: owner('userId'), agentId: owner('agentId') };
}

/** The parts of a body that say whose it is: of the lines of an export the first one, which names its user. */
function bodies(body: unknown): readonly Record<string, unknown>[] {
  const { batches, lines } = Object(body);
  if (Array.isArray(lines)) return lines.slice(0, 1).map(Object);
  return Array.isArray(batches) ? batches.map(Object) : [Object(body)];
}

function idsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}
