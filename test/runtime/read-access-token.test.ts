import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import { readAccessToken } from '../../functions/runtime/read-access-token.ts';

const QUERY = { name: 'one', sql: 'SELECT 1 AS one FROM dual', binds: {}, shape: { one: 'number' } } as const;
let directory = '';

/** A token as far as the driver reads it: when it ends. */
function tokenUntil(seconds: number): string {
  const payload = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + seconds }));
  return `header.${payload.toString('base64url')}.signature`;
}

function connect(location: string) {
  return openThinTransport({
    connectString: 'tcps://127.0.0.1:9/memory',
    credentials: { kind: 'token', location },
  });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'token-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('a token instead of a password', () => {
  it('is a file, or a directory with the key that proves it', async () => {
    const file = join(directory, 'bearer');
    await writeFile(file, 'a.b.c\n');
    expect(await readAccessToken(file)).toBe('a.b.c');
    const folder = join(directory, 'db-token');
    await mkdir(folder);
    await writeFile(join(folder, 'token'), 'd.e.f\n');
    await writeFile(join(folder, 'oci_db_key.pem'), 'PEM\n');
    expect(await readAccessToken(folder)).toEqual({ token: 'd.e.f', privateKey: 'PEM' });
  });

  it('is read when a session is opened, and told apart from a connection that fails', async () => {
    const file = join(directory, 'changing');
    const isWithoutToken = { code: 'unavailable', cause: { facility: 'NJS', number: 168 } };
    await expect(connect(file).query(QUERY)).rejects.toMatchObject({
      ...isWithoutToken,
      cause: { ...isWithoutToken.cause, message: expect.stringContaining(`ENOENT: no such file`) },
    });
    await writeFile(file, 'no token');
    await expect(connect(file).query(QUERY)).rejects.toMatchObject(isWithoutToken);
    await writeFile(file, tokenUntil(-60));
    await expect(connect(file).query(QUERY)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { facility: 'NJS', number: 87 },
    });
    await writeFile(file, tokenUntil(60));
    const failed: unknown = await connect(file)
      .query(QUERY)
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'unavailable', cause: { facility: 'NJS', number: 503 } });
  });
});
