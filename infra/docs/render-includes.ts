const INCLUDE = /<!-- include (\S+) -->\n[\s\S]*?<!-- \/include -->/g;
const LANGUAGES: Readonly<Record<string, string>> = { sh: 'bash', ts: 'ts', json: 'json', sql: 'sql' };

/**
 * Fills each `include` block of a Markdown text with the file that it names, as a code block. Applied to its own result it
 * changes nothing, so a test can tell a page that has drifted from its example.
 */
export function renderIncludes(markdown: string, readFile: (path: string) => string): string {
  return markdown.replaceAll(INCLUDE, (_block, path: string) => {
    const language = LANGUAGES[path.split('.').at(-1) ?? ''] ?? '';
    return `<!-- include ${path} -->\n\`\`\`${language}\n${readFile(path).trimEnd()}\n\`\`\`\n<!-- /include -->`;
  });
}
