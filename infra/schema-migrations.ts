import { readFileSync } from 'node:fs';
import type { Migration } from '../lib/schema/render-migration.ts';

const SCRIPTS = [
  { version: 1, fileName: '001_create_memory_store.sql', keywordOnly: false },
  { version: 1, fileName: 'keyword_index.sql', keywordOnly: true },
] as const;

/** The scripts of `infra/sql`, for programs that run where the files are. */
export function readMigrations(): readonly Migration[] {
  return SCRIPTS.map((script) => ({
    ...script,
    sql: readFileSync(new URL(`sql/${script.fileName}`, import.meta.url), 'utf8'),
  }));
}
