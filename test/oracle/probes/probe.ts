import type { SchemaNames } from '../../../lib/schema/schema-names.ts';
import type { Product } from '../product.ts';
import { NotAsked, type RawDatabase, type TransportName } from '../raw/raw-database.ts';
import type { RawOrds } from '../raw/raw-ords.ts';
import type { RawThin } from '../raw/raw-thin.ts';

/** What a probe asks with: one transport, and names of its own. */
export interface ProbeDesk {
  readonly database: RawOrds | RawThin;
  readonly product: Product;
  /** The other transport of this run, if there is one. It may lead to another database. */
  readonly other: RawDatabase | undefined;
  /** Of a store that belongs to this run and this transport, and is not created. */
  readonly names: SchemaNames;
  /** The name of an object beside it. */
  name(object: string): string;
}

/** @throws NotAsked over the other transport */
export function ordsOf({ database }: ProbeDesk): RawOrds {
  if (database.transport !== 'ords') throw new NotAsked('it is a question about ORDS');
  return database;
}

/** @throws NotAsked over the other transport */
export function thinOf({ database }: ProbeDesk): RawThin {
  if (database.transport !== 'thin') throw new NotAsked('it is a question about node-oracledb');
  return database;
}

interface ProbePointBase {
  /** What is asked, as a phrase. */
  readonly asks: string;
  /** The transports over which it can be asked. @default both */
  readonly over?: readonly TransportName[];
}

/** The answer is written down; nothing in this program depends on it. */
export interface InformingPoint extends ProbePointBase {
  tell(desk: ProbeDesk): Promise<string>;
}

export interface Judgement {
  readonly holds: boolean;
  readonly answer: string;
}

/** This program depends on the answer. A statement that the database refuses does not hold. */
export interface AssumingPoint extends ProbePointBase {
  /** What this program assumes. */
  readonly assumes: string;
  /** Where: a file and a name that stands in it, `lib/sql/bind.ts: json`. */
  readonly place: string;
  judge(desk: ProbeDesk): Promise<Judgement>;
}

export type ProbePoint = InformingPoint | AssumingPoint;

/** One open question about Oracle Database or ORDS. */
export interface Probe {
  /** 1 to 16. */
  readonly number: number;
  readonly question: string;
  /** Creates what the points need. What it creates is dropped with everything else of the run. */
  prepare?(desk: ProbeDesk): Promise<void>;
  readonly points: readonly ProbePoint[];
}
