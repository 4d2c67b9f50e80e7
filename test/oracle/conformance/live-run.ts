import type { SchemaNames } from '../../../lib/schema/schema-names.ts';
import { type LiveTarget, readLiveTargets } from '../live-targets.ts';
import { type Purpose, throwAwayNames } from '../throw-away-objects.ts';
import { PREFIX_VARIABLE } from './prefix-variable.ts';

/** The databases of this run. The workers have the environment of the runner. */
export const LIVE_TARGETS: readonly LiveTarget[] = readLiveTargets(process.env).targets;

/** Names of the store that this run creates for a purpose over a transport. */
export function liveNames(purpose: Purpose, { name }: LiveTarget): SchemaNames {
  return throwAwayNames(process.env[PREFIX_VARIABLE] ?? '', purpose, name);
}
