import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessToken } from '../../lib/sql/node-oracledb/oracle-driver.ts';

/**
 * Reads the token that stands for the database user, again for each that the driver needs: a file with a token of OAuth
 * 2.0, or a directory with `token` and `oci_db_key.pem`, as the command line of Oracle Cloud writes them
 * (`oci iam db-token get`). Whoever writes them keeps them fresh.
 */
export async function readAccessToken(location: string): Promise<AccessToken> {
  if (!(await stat(location)).isDirectory()) return (await readFile(location, 'utf8')).trim();
  const [token, privateKey] = await Promise.all([
    readFile(join(location, 'token'), 'utf8'),
    readFile(join(location, 'oci_db_key.pem'), 'utf8'),
  ]);
  return { token: token.trim(), privateKey: privateKey.trim() };
}
