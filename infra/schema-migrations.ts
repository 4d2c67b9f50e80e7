import { readFileSync } from 'node:fs';
import type { Migration } from '../lib/schema/render-migration.ts';

const SCRIPTS = [
  { version: 1, fileName: '001_create_memory_store.sql', part: 'store' },
  { version: 2, fileName: '002_run_jobs_in_background.sql', part: 'store' },
  { version: 3, fileName: '003_keep_history_and_audit.sql', part: 'store' },
  { version: 1, fileName: 'text_lexer.sql', part: 'text_lexer' },
  { version: 1, fileName: 'text_index.sql', part: 'text_index' },
  { version: 1, fileName: 'vector_index_hnsw.sql', part: 'vector_index_hnsw' },
  { version: 1, fileName: 'vector_index_ivf.sql', part: 'vector_index_ivf' },
  { version: 1, fileName: 'json_search_index.sql', part: 'json_search_index' },
  { version: 1, fileName: 'purge_job.sql', part: 'purge_job' },
] as const;

/** The scripts of `infra/sql`, for programs that run where the files are. */
export function readMigrations(): readonly Migration[] {
  return SCRIPTS.map((script) => ({
    ...script,
    sql: readFileSync(new URL(`sql/${script.fileName}`, import.meta.url), 'utf8'),
  }));
}
