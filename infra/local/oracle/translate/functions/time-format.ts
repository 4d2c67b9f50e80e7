import { OracleError } from '../../sql/oracle-error.ts';

/** One part of a datetime format: an element such as `HH24`, or text that stands for itself. */
interface FormatPart {
  readonly kind: 'element' | 'literal';
  /** Upper case for an element. */
  readonly value: string;
  /** As written: the case decides how names are written. */
  readonly raw: string;
}

const ELEMENTS =
  /^(?:YYYY|SYYYY|RRRR|IYYY|YYY|YY|RR|Y|MONTH|MON|MM|DDD|DD|DAY|DY|D|HH24|HH12|HH|MI|SSSSS|SS|FF[1-9]?|TZH|TZM|TZR|A\.M\.|P\.M\.|AM|PM|WW|IW|W|Q|J|CC|X|FM|FX)/i;

/** Splits a datetime format. ORA-01821: an element that is not known. */
export function parseTimeFormat(format: string, offset: number): readonly FormatPart[] {
  const parts: FormatPart[] = [];
  let rest = format;
  while (rest !== '') {
    const quoted = /^"([^"]*)"/.exec(rest);
    const punctuation = /^[-/,.;: ]+/.exec(rest);
    const element = ELEMENTS.exec(rest);
    if (quoted !== null) {
      parts.push({ kind: 'literal', value: quoted[1] ?? '', raw: quoted[0] });
      rest = rest.slice(quoted[0].length);
    } else if (punctuation !== null) {
      parts.push({ kind: 'literal', value: punctuation[0], raw: punctuation[0] });
      rest = rest.slice(punctuation[0].length);
    } else if (element !== null) {
      parts.push({ kind: 'element', value: element[0].toUpperCase(), raw: element[0] });
      rest = rest.slice(element[0].length);
    } else {
      throw new OracleError(1821, 'date format not recognized', { offset });
    }
  }
  return parts;
}

/** Elements whose text follows the case of the format. */
const NAMES: ReadonlySet<string> = new Set(['MONTH', 'MON', 'DAY', 'DY', 'AM', 'PM', 'A.M.', 'P.M.']);
/** Elements that PostgreSQL writes in another way. */
const RENAMED: Readonly<Record<string, string>> = {
  RRRR: 'YYYY',
  RR: 'YY',
  SSSSS: 'SSSS',
  X: '"."',
  FF: 'FF6',
  FF7: 'FF6"0"',
  FF8: 'FF6"00"',
  FF9: 'FF6"000"',
  TZR: '"+00:00"',
};
/** Elements that only TIMESTAMP types have. */
const FRACTIONS = /^(?:FF|TZ)/;

interface WriteOptions {
  readonly isDate: boolean;
  readonly precision: number;
  readonly offset: number;
}

/** The format as PostgreSQL's `to_char` takes it. */
export function toPostgresFormat(parts: readonly FormatPart[], options: WriteOptions): string {
  let fill = false;
  let format = '';
  for (const part of parts) {
    if (part.kind === 'literal') {
      format += part.value === '' ? '' : `"${part.value.replaceAll('\\', '\\\\')}"`;
    } else if (part.value === 'FM') {
      fill = !fill;
    } else if (part.value !== 'FX') {
      if (options.isDate && FRACTIONS.test(part.value)) {
        throw new OracleError(1821, 'date format not recognized', { offset: options.offset });
      }
      format += `${fill ? 'FM' : ''}${writeElement(part, options)}`;
    }
  }
  return format;
}

function writeElement(part: FormatPart, options: WriteOptions): string {
  if (part.value === 'FF') {
    return options.precision === 0 ? '' : `FF${Math.min(options.precision, 6)}`;
  }
  if (part.value === 'SYYYY') {
    return '" "YYYY';
  }
  return RENAMED[part.value] ?? (NAMES.has(part.value) ? part.raw : part.value);
}

const READABLE: ReadonlySet<string> = new Set([
  'YYYY',
  'SYYYY',
  'RRRR',
  'YYY',
  'YY',
  'RR',
  'Y',
  'MONTH',
  'MON',
  'MM',
  'DDD',
  'DD',
  'DAY',
  'DY',
  'HH24',
  'HH12',
  'HH',
  'MI',
  'SSSSS',
  'SS',
  'FF',
  'TZH',
  'TZM',
  'AM',
  'PM',
  'A.M.',
  'P.M.',
]);

/**
 * The parts as `ora.parse_time` takes them: elements by name, literals with a leading `=`. ORA-01820: an element that
 * cannot be read; ORA-01821: one that the type does not have.
 */
export function toReadElements(
  parts: readonly FormatPart[],
  isDate: boolean,
  timeZone: boolean,
  offset: number,
): readonly string[] {
  return parts
    .filter((part) => part.value !== 'FM' && part.value !== 'FX')
    .map((part) => {
      if (part.kind === 'literal') {
        return `=${part.value}`;
      }
      const name = part.value.startsWith('FF') ? 'FF' : part.value === 'X' ? '=.' : part.value;
      if ((isDate && FRACTIONS.test(name)) || (!timeZone && name.startsWith('TZ'))) {
        throw new OracleError(1821, 'date format not recognized', { offset });
      }
      if (name !== '=.' && !READABLE.has(name)) {
        throw new OracleError(1820, 'format code cannot appear in date input format', { offset });
      }
      return name;
    });
}
