import * as z from 'zod';

/** Characters as a person counts them for limits: Unicode code points, not UTF-16 units. */
export function codePointLength(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

/** Text that the database can hold: no U+0000 and no lone surrogate (HTTP API contract, Conventions). */
export function isWellFormed(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

const NOT_WELL_FORMED = 'must not contain U+0000 or a lone surrogate';

/** A string within a length in characters that the database can hold. */
export function boundedText(minimum: number, maximum: number) {
  return z
    .string()
    .refine(
      (value) => value.length >= minimum,
      `must have at least ${minimum} character${minimum === 1 ? '' : 's'}`,
    )
    .refine(
      (value) => value.length <= maximum || codePointLength(value) <= maximum,
      `must have at most ${maximum.toLocaleString('en-US')} characters`,
    )
    .refine(isWellFormed, NOT_WELL_FORMED);
}

/** White space, and characters that leave nothing on a page: a zero width space, a soft hyphen, a filler. */
const INVISIBLE_TEXT = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a text shows nothing. */
export function isBlank(value: string): boolean {
  return INVISIBLE_TEXT.test(value);
}

/** As `boundedText`, with at least one character that can be seen: of a blank message a model only invents. */
export function meaningfulText(maximum: number) {
  return boundedText(0, maximum).refine(
    (value) => !isBlank(value),
    'must hold at least one non-space character',
  );
}
