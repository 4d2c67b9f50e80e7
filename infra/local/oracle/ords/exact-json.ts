import { decodeNumber } from '../engine/result-decoding.ts';

declare global {
  interface JSON {
    /** A value that `stringify` writes as this JSON text (ECMAScript 2026). */
    rawJSON(text: string): object;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Reads JSON as ORDS does: a number with more digits than a JavaScript number holds becomes its text. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && isInexact(source) ? source : value,
  );
}

function isInexact(source: string): boolean {
  // A NUMBER out of range is left to the check of the bind.
  return Math.abs(Number(source)) < 1e126 && typeof decodeNumber(source) === 'string';
}

/** All digits of a number in the JSON of an answer. */
export function exactNumber(digits: string): object {
  return JSON.rawJSON(digits);
}
