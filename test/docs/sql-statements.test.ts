import { describe, expect, it } from 'vitest';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { CATALOG_PAGE, renderStatementCatalog } from '../../infra/docs/render-statement-catalog.ts';
import { furtherTexts, representativeTexts } from '../../infra/docs/representative-texts.ts';
import { readStatementCatalog } from '../../infra/docs/statement-catalog.ts';
import { STATEMENT_USES } from '../../infra/docs/statement-uses.ts';

const catalog = await readStatementCatalog();

describe('docs/sql-statements.sql', () => {
  it('is what npm run sql writes', () => {
    expect(readProjectFile(CATALOG_PAGE)).toBe(renderStatementCatalog(catalog));
  });

  it('says what each statement is for, and of none that there is not', () => {
    const names = new Set(catalog.flatMap(({ statements }) => statements.map(({ name }) => name)));
    expect([...names].sort()).toEqual(Object.keys(STATEMENT_USES).sort());
    for (const use of Object.values(STATEMENT_USES)) expect(use).toMatch(/^[a-z].*[^.]$/);
  });

  it('shows every common table, condition and assignment of its texts', () => {
    const page = readProjectFile(CATALOG_PAGE);
    for (const part of [
      'c.user_id IS NULL THEN :boost_factor',
      "(:user_effect <> 'exact' OR",
      'MEMORY_METADATA_MATCHES(m.metadata, :metadata_filter) = 1',
      'FETCH APPROX FIRST :index_rows ROWS ONLY',
      'JSON_TABLE(:allowed_agents',
      'VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING :text_to_embed AS DATA)',
      "CTX_DDL.SYNC_INDEX('MEMORY_CHUNK_TEXT_IX')",
      'DROP TABLE MEMORY_META PURGE',
    ]) {
      expect(page).toContain(part);
    }
  });
});

describe('the choice of texts', () => {
  const text = (name: string, sql: string) => ({ name, sql });
  const short = text('a', 'SELECT 1\nWHERE user_id = :user_id');
  const other = text('a', 'SELECT 1\nWHERE agent_id = :agent_id AND total > 17');
  const same = text('a', 'SELECT 2\nWHERE thread_id = :thread_id AND total > 4');

  it('takes the shortest text of each name, and what has more', () => {
    const named = text('b', 'SELECT 1\nWHERE user_id = :user_id');
    expect(representativeTexts([same, short, other, named])).toEqual([same, short, named]);
  });

  it('takes nothing that differs in a number or in whose id it is', () => {
    expect(furtherTexts([other], [short, same])).toEqual([]);
    expect(furtherTexts([other], [short])).toEqual([other]);
  });
});
