import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DIRECTORY = join(import.meta.dirname, 'prelude');

/**
 * PostgreSQL script that creates the `ora` schema: the functions that translated statements call, the data dictionary
 * and the extension for vectors. It may run again on a database that has an older one.
 */
export const PRELUDE_SQL: string = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => readFileSync(join(DIRECTORY, file), 'utf8'))
  .join('\n');
