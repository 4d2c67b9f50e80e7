import { decodeNumber as exactValue } from '../../engine/result-decoding.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';

const NUMBER = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const MAXIMUM_DIGITS = 40;
const ZERO = Buffer.from([0x80]);
const EXPONENT_BIAS = 192;
const SIGN = 0x80;
const NEGATIVE_END = 102;
/** Smaller magnitudes are 0: the exponent would leave its byte. */
const MINIMUM_POINT = -129;

/** A number in decimal notation as an Oracle NUMBER: an exponent and digits of base 100. Over 40 digits are rounded. */
export function encodeNumber(text: string): Buffer {
  const parts = NUMBER.exec(text);
  if (parts === null) {
    throw new RangeError(`${text} is no decimal number`);
  }
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const { digits, point } = normalize(whole + fraction, whole.length + Number(exponent));
  if (digits === '' || point < MINIMUM_POINT) {
    return ZERO;
  }
  const even = point % 2 === 0 ? digits : `0${digits}`;
  const pairs = (even.length % 2 === 0 ? even : `${even}0`).match(/\d\d/g) ?? [];
  const exponentByte = Math.ceil(point / 2) + EXPONENT_BIAS;
  if (sign === '') {
    return Buffer.from([exponentByte, ...pairs.map((pair) => Number(pair) + 1)]);
  }
  const end = pairs.length < MAXIMUM_DIGITS / 2 ? [NEGATIVE_END] : [];
  return Buffer.from([exponentByte ^ 0xff, ...pairs.map((pair) => 101 - Number(pair)), ...end]);
}

/** Digits without zeros at either end, and how many of them stand before the decimal point. */
function normalize(all: string, pointBefore: number): { readonly digits: string; readonly point: number } {
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const significant = all.slice(leading);
  const point = pointBefore - leading;
  const kept = point % 2 === 0 ? MAXIMUM_DIGITS : MAXIMUM_DIGITS - 1;
  if (significant.length <= kept) {
    return { digits: significant.replace(/0+$/, ''), point };
  }
  const rounding = significant.charAt(kept) >= '5' ? 1n : 0n;
  const rounded = String(BigInt(significant.slice(0, kept)) + rounding);
  return { digits: rounded.replace(/0+$/, ''), point: point + rounded.length - kept };
}

/** A JavaScript number where it holds every digit, else the digits as text. */
export function decodeNumber(bytes: Buffer): number | string {
  const [first = SIGN] = bytes;
  const isPositive = (first & SIGN) !== 0;
  if (bytes.length === 1) {
    return isPositive ? 0 : '-1e126';
  }
  const last = bytes.length - (!isPositive && bytes.at(-1) === NEGATIVE_END ? 1 : 0);
  let digits = '';
  for (const byte of bytes.subarray(1, last)) {
    const pair = isPositive ? byte - 1 : 101 - byte;
    if (pair < 0 || pair > 99) {
      throw new MalformedMessageError(`the byte ${byte} in a NUMBER`);
    }
    digits += String(pair).padStart(2, '0');
  }
  const point = ((isPositive ? first : first ^ 0xff) - EXPONENT_BIAS) * 2;
  return exactValue(`${isPositive ? '' : '-'}${placePoint(digits, point)}`);
}

function placePoint(digits: string, point: number): string {
  if (point <= 0) {
    return `0.${'0'.repeat(-point)}${digits}`;
  }
  const padded = digits.padEnd(point, '0');
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '');
  return padded.length > point ? `${whole}.${padded.slice(point)}` : whole;
}
