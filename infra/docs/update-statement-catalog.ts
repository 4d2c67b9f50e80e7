import { writeFileSync } from 'node:fs';
import { PROJECT_ROOT } from './documentation-pages.ts';
import { CATALOG_PAGE, renderStatementCatalog } from './render-statement-catalog.ts';
import { readStatementCatalog } from './statement-catalog.ts';

writeFileSync(`${PROJECT_ROOT}${CATALOG_PAGE}`, renderStatementCatalog(await readStatementCatalog()));
console.log(`wrote ${CATALOG_PAGE}`);
