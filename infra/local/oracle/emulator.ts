import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DataDirectoryInUseError } from './engine/directory-lock.ts';
import { type Emulator, startEmulator } from './start-emulator.ts';

const USAGE = `Usage: npm run emulator -- [--ords-port PORT] [--data-dir DIRECTORY]

Starts the Oracle emulator and serves ORDS REST-Enabled SQL on 127.0.0.1.

  --ords-port PORT      port to serve on (default 8181; 0 takes any free one)
  --data-dir DIRECTORY  keeps the data there (default: in memory, gone when it ends)
  --help                shows this text`;

const DEFAULT_PORT = '8181';

interface Settings {
  readonly ordsPort: number;
  readonly dataDirectory: string | undefined;
}

function readSettings(argv: readonly string[]): Settings | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'ords-port': { type: 'string', default: DEFAULT_PORT },
      'data-dir': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const text = values['ords-port'];
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new TypeError(`--ords-port takes a port number, not '${text}'`);
  }
  return { ordsPort: Number(text), dataDirectory: values['data-dir'] };
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
    return `port ${settings.ordsPort} is in use; choose another one with --ords-port`;
  }
  return `the emulator could not start: ${error instanceof Error ? error.message : String(error)}`;
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
  console.log(`ORDS_URL=${emulator.ordsUrl}`);
  console.log(`ORDS_USERNAME=${emulator.username}`);
  console.log(`ORDS_PASSWORD=${emulator.password}`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await emulator.close();
}

await main();
