import { parseArgs } from 'node:util';
import { TRANSPORT_NAMES, type TransportName } from './raw/raw-database.ts';
import { checkPrefix } from './throw-away-objects.ts';

/** What a run does: it asks the open questions, and runs the conformance cases of each level. */
export const PARTS = ['probes', 'transport', 'schema', 'store', 'memory'] as const;
export type Part = (typeof PARTS)[number];

export const LIVE_USAGE = `npm run test:oracle -- [options]

Runs the conformance cases and asks the sixteen open questions on a real database, over each transport that the
environment names. What it creates there has names of its own, and is dropped at the end.

  --require NAMES   fails when one of these is not named by the environment: thin, ords or thin,ords
  --sheet FILE      writes the answer sheet to this file as well
  --parts NAMES     only these of ${PARTS.join(',')}
  --cases PATTERN   of the conformance cases only those whose title matches
  --prefix NAME     what the names of everything it creates begin with (default: LIVE and six digits)
  --drop NAME       runs nothing, and drops what an interrupted run with this prefix left behind
  --help            this text
`;

export interface LiveOptions {
  readonly require: readonly TransportName[];
  readonly sheet: string | undefined;
  readonly parts: readonly Part[];
  readonly cases: string | undefined;
  readonly prefix: string | undefined;
  /** The prefix of a run whose objects are to go. */
  readonly drop: string | undefined;
}

/** @throws TypeError or RangeError for an option that is not known or has a wrong value */
export function readLiveOptions(commandLine: readonly string[]): LiveOptions | 'help' {
  const { values } = parseArgs({
    args: [...commandLine],
    options: {
      require: { type: 'string' },
      sheet: { type: 'string' },
      parts: { type: 'string' },
      cases: { type: 'string' },
      prefix: { type: 'string' },
      drop: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    require: listOf('require', values.require, TRANSPORT_NAMES) ?? [],
    sheet: values.sheet,
    parts: listOf('parts', values.parts, PARTS) ?? PARTS,
    cases: values.cases === undefined ? undefined : checkPattern(values.cases),
    prefix: values.prefix === undefined ? undefined : checkPrefix(values.prefix),
    drop: values.drop === undefined ? undefined : checkPrefix(values.drop),
  };
}

function listOf<Name extends string>(
  option: string,
  value: string | undefined,
  known: readonly Name[],
): readonly Name[] | undefined {
  return value?.split(',').map((wanted) => {
    const name = known.find((each) => each === wanted.trim());
    if (name === undefined) throw new RangeError(`--${option} takes ${known.join(', ')}, not '${wanted}'`);
    return name;
  });
}

function checkPattern(pattern: string): string {
  new RegExp(pattern);
  return pattern;
}
