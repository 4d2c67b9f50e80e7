import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import oracledb from 'oracledb';
import { afterEach, expect, test } from 'vitest';
import { basic } from './ords-fixture.ts';

const COMMAND = join(import.meta.dirname, '../../infra/local/oracle/emulator.ts');
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
});

function startCommand(...options: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

/** Exit code and error output of a command that ends by itself. */
async function outcome(...options: readonly string[]) {
  const child = startCommand(...options);
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, errors };
}

/** The settings that a started emulator prints. */
async function printedSettings(child: ReturnType<typeof startCommand>): Promise<ReadonlyMap<string, string>> {
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('ORDS_PASSWORD=') && printed.endsWith('\n')) {
      break;
    }
  }
  return new Map(
    printed
      .trim()
      .split('\n')
      .map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
}

test('serves ORDS with the printed settings and ends cleanly on a signal', async () => {
  const child = startCommand('--ords-port', '0');
  const settings = await printedSettings(child);
  const url = settings.get('ORDS_URL') ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ords\/memory$/);
  const response = await fetch(`${url}/_/sql`, {
    method: 'POST',
    headers: {
      authorization: basic(settings.get('ORDS_USERNAME') ?? '', settings.get('ORDS_PASSWORD') ?? ''),
      'content-type': 'application/sql',
    },
    body: 'SELECT 1 AS one FROM dual',
  });
  expect(await response.json()).toMatchObject({ items: [{ resultSet: { items: [{ one: 1 }] } }] });
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('serves the thin driver too when it is given a port for that', async () => {
  const child = startCommand('--ords-port', '0', '--tns-port', '0');
  const settings = await printedSettings(child);
  const connectString = settings.get('ORACLE_CONNECT_STRING') ?? '';
  expect(connectString).toMatch(/^127\.0\.0\.1:\d+\/AGENTMEMORY$/);
  const connection = await oracledb.getConnection({
    connectString,
    user: settings.get('ORACLE_USER') ?? '',
    password: settings.get('ORACLE_PASSWORD') ?? '',
  });
  expect((await connection.execute('SELECT 1 FROM dual')).rows).toEqual([[1]]);
  await connection.close();
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('an unknown option and a wrong port show the usage', async () => {
  for (const options of [
    ['--port', '1'],
    ['--ords-port', 'x'],
    ['--tns-port', '65536'],
  ]) {
    const { code, errors } = await outcome(...options);
    expect(code).toBe(2);
    expect(errors).toContain('Usage: npm run emulator');
  }
});

test('says that a port is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { code, errors } = await outcome('--ords-port', port);
  expect([code, errors.trim()]).toEqual([1, `port ${port} is in use; choose another one with --ords-port`]);
  const second = await outcome('--ords-port', '0', '--tns-port', port);
  expect([second.code, second.errors.trim()]).toEqual([
    1,
    `port ${port} is in use; choose another one with --tns-port`,
  ]);
  server.close();
});
