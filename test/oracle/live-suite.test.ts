import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { runLiveSuite } from './live-suite.ts';

/** A few cases of each level: enough to see that they run, and where. */
const FEW_CASES = 'no rows are an empty list|stays empty|ties by id|nearest first|before it returns';

let emulator: Emulator;
let overOrds: Readonly<Record<string, string>>;
let overThin: Readonly<Record<string, string>>;
let failAt: RegExp | undefined;

beforeAll(async () => {
  emulator = await startEmulator({
    ordsPort: 0,
    tnsPort: 0,
    faults: {
      beforeStatement(text) {
        if (failAt?.test(text)) throw new OracleError(1013, 'user requested cancel of current operation');
      },
    },
  });
  const { ordsUrl: ORDS_URL, username: ORDS_USERNAME, password: ORDS_PASSWORD } = emulator;
  overOrds = { ORDS_URL, ORDS_USERNAME, ORDS_PASSWORD };
  overThin = {
    ORACLE_CONNECT_STRING: emulator.connectString ?? '',
    ORACLE_USER: emulator.username,
    ORACLE_PASSWORD: emulator.password,
  };
});
afterAll(() => emulator?.close());
beforeEach(() => {
  failAt = undefined;
});

/** The suite in this process, without its conformance cases: those need a process of their own. */
async function run(commandLine: string, given = overOrds, signal = new AbortController().signal) {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const code = await runLiveSuite(
    commandLine.split(' ').filter((word) => word !== ''),
    {
      variables: given,
      write,
      signal,
    },
  );
  return { code, output };
}

async function objects(): Promise<readonly (string | null)[]> {
  const { ordsUrl: url, username, password } = emulator;
  const transport = createOrdsTransport({ url, credentials: { kind: 'basic', username, password } });
  const sql = 'SELECT o.object_name AS object_name FROM user_objects o';
  const rows = await transport.query({
    name: 'test.objects',
    sql,
    binds: {},
    shape: { object_name: 'text' },
  });
  return rows.map((row) => row.object_name);
}

async function createTable(name: string): Promise<void> {
  const { ordsUrl: url, username, password } = emulator;
  const transport = createOrdsTransport({ url, credentials: { kind: 'basic', username, password } });
  await transport.executeDdl(`CREATE TABLE ${name} (id NUMBER(1))`);
}

/** The rows of the table of questions, by number. */
function verdicts(sheet: string): readonly (readonly string[])[] {
  return [...sheet.matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, ...cells]) => cells);
}

describe('npm run test:oracle over the emulator', () => {
  it('runs cases of every level, asks all sixteen questions and drops everything', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'live-suite-test-'));
    try {
      const file = join(directory, 'sheet.md');
      const child = spawn(
        process.execPath,
        ['test/oracle/run.ts', '--require', 'thin,ords', '--cases', FEW_CASES, '--sheet', file],
        { env: { PATH: process.env.PATH, ...overThin, ...overOrds }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      const sheet = await readFile(file, 'utf8');
      expect({ code, sheet }).toMatchObject({ code: 0, sheet: expect.stringContaining('# Answer sheet') });
      expect(output.endsWith(sheet)).toBe(true);
      for (const transport of ['thin', 'ords']) {
        for (const suite of [
          `${transport} as a transport`,
          `the schema over ${transport}`,
          `the store over ${transport}`,
          `the memory API over ${transport}`,
        ]) {
          expect(sheet).toMatch(new RegExp(`| ${suite} | [1-9]d* | 0 | d+ |`));
        }
      }
      expect(verdicts(sheet).map(([number]) => number)).toEqual(
        Array.from({ length: 16 }, (_, index) => String(index + 1)),
      );
      for (const [, thin, ords] of verdicts(sheet)) {
        expect(thin).toMatch(/^(?:holds|informs)/);
        expect(ords).toMatch(/^(?:holds|informs)/);
      }
      expect(sheet).toContain('The emulator of this project has answered.');
      expect(sheet).not.toMatch(/tested on oracle/i);
      expect(await objects()).toEqual([]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }, 120_000);

  it('fails when an assumption does not hold, says which, and drops everything', async () => {
    failAt = /FETCH APPROX FIRST 10 ROWS ONLY WITH TARGET ACCURACY/;
    const { code, output } = await run('--parts probes');
    expect(code).toBe(1);
    const wrong = verdicts(output).filter(([, , ords]) => ords?.includes('does not hold'));
    expect(wrong.map(([number]) => number)).toEqual(['6']);
    expect(output).toMatch(/FETCH APPROX in a table expression .* \*\*does not hold\*\* .*ORA-01013/);
    expect(await objects()).toEqual([]);
  });

  it('fails when no case has a title that matches', async () => {
    const { code, output } = await run('--parts transport --cases no-such-title');
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('no case') });
  });

  it('does not fail for an answer that only informs, nor for a transport that is not named', async () => {
    failAt = /CLOB FORMAT JSON/;
    const { code, output } = await run('--parts probes', overThin);
    expect(code).toBe(0);
    expect(output).toMatch(/a column CLOB FORMAT JSON .* informs .*ORA-01013/);
    expect(verdicts(output).map(([, , ords]) => ords)).toEqual(Array(16).fill('not configured'));
  });

  it('drops everything when it is told to end', async () => {
    const ending = new AbortController();
    const outcome = runLiveSuite(['--parts', 'probes'], {
      variables: overOrds,
      write: (text) => {
        if (text.startsWith('Question 12')) ending.abort(new Error('told to end'));
      },
      signal: ending.signal,
    });
    expect(await outcome).toBe(1);
    expect(await objects()).toEqual([]);
  });

  it('tells what it could not drop, and drops it later', async () => {
    failAt = /^DROP TABLE LIVE\w+_STEP/;
    const { code, output } = await run('--parts probes --prefix LIVEABCDEF');
    expect(code).toBe(1);
    expect(output).toContain('- TABLE LIVEABCDEFPO_STEP');
    expect(await objects()).toContain('LIVEABCDEFPO_STEP');
    expect((await run('--drop LIVEABCDEF')).code).toBe(1);
    failAt = undefined;
    expect(await run('--drop LIVEABCDEF')).toMatchObject({ code: 0 });
    expect(await objects()).toEqual([]);
  });

  it('refuses a prefix that is in use, and touches nothing', async () => {
    await createTable('LIVETAKEN_NOTE');
    try {
      const { code, output } = await run('--parts probes --prefix LIVETAKEN');
      expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('LIVETAKEN_NOTE') });
      expect(await run('--drop LIVETAKEN')).toMatchObject({ code: 1 });
      expect(await objects()).toEqual(['LIVETAKEN_NOTE']);
    } finally {
      const { ordsUrl: url, username, password } = emulator;
      const transport = createOrdsTransport({ url, credentials: { kind: 'basic', username, password } });
      await transport.executeDdl('DROP TABLE LIVETAKEN_NOTE PURGE');
    }
  });
});

describe('npm run test:oracle without a database', () => {
  it('runs nothing, says why and succeeds', async () => {
    const { code, output } = await run('', {});
    expect(code).toBe(0);
    expect(output).toMatch(/ORACLE_CONNECT_STRING/);
    expect(output).toMatch(/ORDS_URL/);
    expect(output).toMatch(/nothing was run/);
  });

  it.each([
    [{ ORDS_URL: 'https://localhost/ords/memory' }, 'ORDS_USERNAME'],
    [{ ORDS_URL: 'https://localhost/ords/memory', ORDS_USERNAME: 'memory' }, 'ORDS_PASSWORD'],
    [{ ORDS_PASSWORD: 'secret' }, 'ORDS_URL'],
    [{ ORDS_URL: 'https://localhost/ords/memory', ORDS_CLIENT_ID: 'client' }, 'ORDS_CLIENT_SECRET'],
    [{ ORACLE_CONNECT_STRING: 'localhost/memory' }, 'ORACLE_USER'],
    [{ ORACLE_USER: 'memory', ORACLE_PASSWORD: 'secret' }, 'ORACLE_CONNECT_STRING'],
  ])('fails for a database that is named by half: %o', async (given, missing) => {
    const { code, output } = await run('', given);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(missing) });
    expect(output).not.toContain('secret');
  });

  it('says so as a command, too, and without a stack', async () => {
    const command = spawn(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url))], {
      env: { PATH: process.env.PATH, ORACLE_CONNECT_STRING: 'localhost/MEMORY' },
    });
    const [output, errors, [code]] = await Promise.all([
      text(command.stdout),
      text(command.stderr),
      once(command, 'exit'),
    ]);
    expect([output, errors, code]).toEqual(['ORACLE_USER: is required\n', '', 1]);
  });

  it('fails when what it must ask is not named', async () => {
    const { code, output } = await run('--require thin,ords', overOrds);
    expect(code).toBe(1);
    expect(output).toMatch(/--require asks for thin\./);
    expect((await run('--require ords', {})).code).toBe(1);
  });

  it('fails when the database does not answer', async () => {
    const { code, output } = await run('', { ...overOrds, ORDS_URL: 'http://127.0.0.1:1/ords/memory' });
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('did not answer') });
    const { code: refused, output: reason } = await run('', { ...overOrds, ORDS_PASSWORD: 'secret' });
    expect({ refused, reason }).toMatchObject({ refused: 1, reason: expect.stringContaining('HTTP 401') });
  });

  it('fails over installed statements, which create no tables', async () => {
    const { code, output } = await run('', { ...overOrds, ORDS_MODE: 'module' });
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('ORDS_MODE') });
  });

  it.each([
    '--unknown',
    '--require sqlite',
    '--parts all',
    '--prefix me',
    "--prefix LIVE'--",
    '--drop L',
    '--cases (',
  ])('answers %s with its usage', async (commandLine) => {
    const { code, output } = await run(commandLine, {});
    expect({ code, output }).toMatchObject({
      code: 2,
      output: expect.stringContaining('npm run test:oracle'),
    });
  });
});
