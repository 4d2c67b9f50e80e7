import { createHash, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { apiKeysSchema } from '../functions/runtime/api-keys.ts';
import { invalidRequest } from '../lib/errors/agent-memory-error.ts';
import { ACCESS_SCOPES } from '../lib/schemas/operation-contract.ts';
import { parseRequest } from '../lib/schemas/validation-issues.ts';
import { explainFailure } from './explain-failure.ts';

export const API_KEY_COMMAND_USAGE = `npm run api-key -- --id <name> --scopes <scope>[,<scope>…] [options]
  --users <id>[,<id>…]    the users that the key reaches. Without it: every user. An id that has a comma itself has to be
                          written into the entry by hand
  --agents <id>[,<id>…]   the same for agents
  --threads <id>[,<id>…]  the same for threads
  --expires <time>        ISO-8601, such as 2027-01-31 or 2027-01-31T12:00:00Z. Without it: never
  --rate-per-minute <n>   requests that the key may send in a minute. Without it: no limit
Scopes: ${ACCESS_SCOPES.join(', ')}, or * for all.
Prints the key, which is stored nowhere, and its entry for the list in API_KEYS. A second entry with the same id replaces a key
while the first one still works.
`;

const PREFIX = 'amf_';
const KEY_BYTES = 32;

/**
 * Makes a key of 256 random bits and its entry of `API_KEYS`.
 *
 * @param write Gets the two lines that are printed
 * @throws AgentMemoryError `invalid_request` naming the option that is missing or wrong
 */
export function runApiKeyCommand(given: readonly string[], write: (text: string) => void): void {
  const options = readOptions(given);
  const key = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  const sha256 = createHash('sha256').update(key).digest('hex');
  const entry = { id: options.id, sha256, ...options.entry };
  parseRequest(apiKeysSchema, [entry]);
  write(`Key, shown only now:\n${key}\n\nIts entry for the list in API_KEYS:\n${JSON.stringify(entry)}\n`);
}

function readOptions(given: readonly string[]) {
  const { values } = parseArgs({
    args: [...given],
    strict: true,
    options: {
      id: { type: 'string' },
      scopes: { type: 'string' },
      users: { type: 'string' },
      agents: { type: 'string' },
      threads: { type: 'string' },
      expires: { type: 'string' },
      'rate-per-minute': { type: 'string' },
    },
  });
  const { id, scopes, users, agents, threads, expires, 'rate-per-minute': rate } = values;
  if (id === undefined) throw invalidRequest('--id', 'is needed');
  if (scopes === undefined) throw invalidRequest('--scopes', 'is needed');
  return {
    id,
    entry: {
      scopes: listOf(scopes),
      users: users === undefined ? undefined : listOf(users),
      agents: agents === undefined ? undefined : listOf(agents),
      threads: threads === undefined ? undefined : listOf(threads),
      expiresAt: expires,
      ratePerMinute: rate === undefined ? undefined : Number(rate),
    },
  };
}

function listOf(value: string): readonly string[] {
  return value.split(',').map((item) => item.trim());
}

if (import.meta.main) {
  try {
    runApiKeyCommand(process.argv.slice(2), (text) => process.stdout.write(text));
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n\n${API_KEY_COMMAND_USAGE}`);
    process.exitCode = 1;
  }
}
