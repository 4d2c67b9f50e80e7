import { writeFileSync } from 'node:fs';
import { documentationPages, PROJECT_ROOT, readProjectFile } from './documentation-pages.ts';
import { renderIncludes } from './render-includes.ts';

for (const page of documentationPages()) {
  const written = readProjectFile(page);
  const rendered = renderIncludes(written, readProjectFile);
  if (rendered === written) continue;
  writeFileSync(`${PROJECT_ROOT}${page}`, rendered);
  console.log(`updated ${page}`);
}
