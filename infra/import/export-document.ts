import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { lineOfOffset, lineOfPath } from './json-position.ts';

/** What an export file holds. */
export interface ExportDocument {
  /** The JSON value, or the list of the values of JSON Lines. */
  readonly value: unknown;
  /** Line of the file, from 1, on which the value of a path begins. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Reads an export as JSON, or as JSON Lines: one value a line, empty lines between them.
 *
 * @throws AgentMemoryError `invalid_request` naming the line that is not JSON
 */
export function readExportDocument(text: string): ExportDocument {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, index }]));
  const [first] = lines;
  if (first === undefined) throw invalidRequest('--file', 'is empty');
  if (lines.length === 1 || !isJson(first.line)) {
    return { value: parseJson(text, 0), lineOf: (path) => lineOfPath(text, path) };
  }
  const value = lines.map(({ line, index }) => parseJson(line, index));
  return {
    value,
    lineOf: ([place, ...path]) => {
      const found = lines[Number(place ?? 0)];
      return found === undefined ? 1 : found.index + lineOfPath(found.line, path);
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param linesBefore Lines of the file before the text */
function parseJson(text: string, linesBefore: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const [, position] = /position (\d+)/.exec(String(cause)) ?? [];
    const offset = position === undefined ? text.length : Number(position);
    throw invalidRequest('--file', `line ${linesBefore + lineOfOffset(text, offset)} is not JSON`, cause);
  }
}
