import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DataDirectoryInUseError } from './engine/directory-lock.ts';
import { type Emulator, startEmulator } from './start-emulator.ts';

const USAGE = `Usage: npm run emulator -- [--ords-port PORT] [--tns-port PORT] [--data-dir DIRECTORY]

Starts the Oracle emulator and serves ORDS REST-Enabled SQL on 127.0.0.1.

  --ords-port PORT      port to serve on (default 8181; 0 takes any free one)
  --tns-port PORT       listens there too for the thin driver of Oracle (0 takes any free port; default: does not)
  --data-dir DIRECTORY  keeps the data there (default: in memory, gone when it ends)
  --help                shows this text`;

const DEFAULT_PORT = '8181';

interface Settings {
  readonly ordsPort: number;
  readonly tnsPort: number | undefined;
  readonly dataDirectory: string | undefined;
}

function readSettings(argv: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'ords-port': { type: 'string', default: DEFAULT_PORT },
      'tns-port': { type: 'string' },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const tnsPort = values['tns-port'];
  return {
    ordsPort: readPort('--ords-port', values['ords-port']),
    tnsPort: tnsPort === undefined ? undefined : readPort('--tns-port', tnsPort),
    dataDirectory: values['data-dir'],
  };
}

function readPort(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new TypeError(`${option} takes a port number, not '${text}'`);
  }
  return Number(text);
}

async function start(settings: Settings): Promise<Emulator> {
  try {
    return await startEmulator(settings);
  } catch (error) {
    console.error(startFailure(error, settings));
    process.exit(1);
  }
}

function startFailure(error: unknown, settings: Settings): string {
  if (error instanceof DataDirectoryInUseError) {
    return error.message;
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? error.port : settings.ordsPort;
    const option = port === settings.tnsPort ? '--tns-port' : '--ords-port';
    return `port ${port} is in use; choose another one with ${option}`;
  }
  return `the emulator could not start: ${error instanceof Error ? error.message : String(error)}`;
}

/** What a service needs to use the emulator. */
function environmentOf({ ordsUrl, connectString, username, password }: Emulator): readonly string[] {
  const ords = [`ORDS_URL=${ordsUrl}`, `ORDS_USERNAME=${username}`, `ORDS_PASSWORD=${password}`];
  return connectString === undefined
    ? ords
    : [
        ...ords,
        `ORACLE_CONNECT_STRING=${connectString}`,
        `ORACLE_USER=${username}`,
        `ORACLE_PASSWORD=${password}`,
      ];
}

async function main(): Promise<void> {
  let settings: Settings | 'help';
  try {
    settings = readSettings(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  if (settings === 'help') {
    console.log(USAGE);
    return;
  }
  const emulator = await start(settings);
  console.log(environmentOf(emulator).join('\n'));
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await emulator.close();
}

await main();
