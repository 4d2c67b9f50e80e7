import { invalidRequest } from '../errors/agent-memory-error.ts';

/** Media type of lines of JSON. */
export const NDJSON = 'application/x-ndjson';

/** What is written as lines of JSON. */
export interface Lines {
  readonly lines: readonly unknown[];
}

export function writeNdjson({ lines }: Lines): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads lines of JSON, the last one with or without its end. @throws AgentMemoryError `invalid_request` naming the line */
export function readNdjson(text: string): Lines {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines: lines.map(parseLine) };
}

function parseLine(line: string, index: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw invalidRequest(`lines[${index}]`, 'is not valid JSON');
  }
}
