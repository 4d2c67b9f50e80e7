import { parseArgs } from 'node:util';

const USAGE = `Usage: npm start -- [options]

Runs the memory service on this machine, by default over the embedded Oracle emulator.

  --port N          port to listen on (PORT, default 8787; 0 takes a free one)
  --host HOST       address to listen on (HOST, default 127.0.0.1)
  --data-dir DIR    where the emulator keeps its data (DATA_DIR, default .data)
  --transport NAME  emulator, ords or thin (ORACLE_TRANSPORT); ords without ORDS_URL goes through the emulator's own
                    endpoint, thin without ORACLE_CONNECT_STRING through its own listener
  --help            this text

Every setting of the README's table may be given as an environment variable.`;

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'data-dir': { type: 'string' },
  transport: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** What the command line asks for: the usage text, or environment variables that win over the given ones. */
export type StartRequest =
  | { readonly kind: 'usage'; readonly text: string; readonly exitCode: 0 | 2 }
  | { readonly kind: 'start'; readonly overrides: Readonly<Record<string, string>> };

/** Reads the arguments of `npm start`. Anything unknown answers the usage text and exit code 2. */
export function readStartRequest(arguments_: readonly string[]): StartRequest {
  try {
    const { values } = parseArgs({ args: [...arguments_], options: OPTIONS, strict: true });
    if (values.help) return { kind: 'usage', text: USAGE, exitCode: 0 };
    const overrides = Object.entries({
      PORT: values.port,
      HOST: values.host,
      DATA_DIR: values['data-dir'],
      ORACLE_TRANSPORT: values.transport,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { kind: 'start', overrides: Object.fromEntries(overrides) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'usage', text: `${reason}\n\n${USAGE}`, exitCode: 2 };
  }
}
