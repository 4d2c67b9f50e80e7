import { NotAsked, type RawDatabase, StatementRefused, type TransportName } from '../raw/raw-database.ts';
import type { Probe, ProbeDesk, ProbePoint } from './probe.ts';

export type Verdict = 'informs' | 'holds' | 'does_not_hold' | 'not_asked';

/** What one transport answered to one point. */
export interface Finding {
  readonly transport: TransportName;
  readonly point: ProbePoint;
  readonly verdict: Verdict;
  readonly answer: string;
  /** The texts that were sent for it, in order, each once. */
  readonly statements: readonly string[];
}

/** A privilege, quota or package that the database user lacks says nothing about the question. */
const LACKS_PRIVILEGE: ReadonlySet<number> = new Set([990, 1031, 1536, 1950, 27486, 41900]);
const ANSWER_LENGTH = 600;

/** Asks every point of a probe over one transport. Never throws: what goes wrong is an answer. */
export async function askProbe(probe: Probe, desk: ProbeDesk): Promise<readonly Finding[]> {
  const { transport } = desk.database;
  const points = probe.points.filter(({ over }) => over?.includes(transport) ?? true);
  const preparation = await outcomeOf(desk, async () => {
    await probe.prepare?.(desk);
  });
  const findings: Finding[] = [];
  for (const point of points) {
    if (preparation.kind === 'done') findings.push(await askPoint(point, desk));
    else findings.push(withoutAnswer(point, transport, { ...preparation, kind: 'not_asked' }));
  }
  return findings;
}

type Outcome<Value> = { readonly kind: 'done'; readonly value: Value } | Refusal;
type Refusal = { readonly kind: 'refused' | 'not_asked'; readonly reason: string };

async function outcomeOf<Value>(desk: ProbeDesk, ask: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { kind: 'done', value: await ask() };
  } catch (error) {
    return refusalOf(desk, error);
  }
}

function refusalOf({ product }: ProbeDesk, error: unknown): Refusal {
  if (!(error instanceof StatementRefused)) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: error instanceof NotAsked ? 'not_asked' : 'refused', reason };
  }
  const isLacking =
    LACKS_PRIVILEGE.has(error.number) || /PLS-00201: identifier '(?:CTX|DBMS)/.test(error.message);
  const isBeyondEmulator = product.kind === 'emulator' && /ORA-03001|\bemulator\b/.test(error.message);
  return { kind: isLacking || isBeyondEmulator ? 'not_asked' : 'refused', reason: error.told };
}

async function askPoint(point: ProbePoint, desk: ProbeDesk): Promise<Finding> {
  const statements = new Set<string>();
  const recording: ProbeDesk = { ...desk, database: withRecording(desk, statements) };
  const finding = { transport: desk.database.transport, point };
  const outcome = await outcomeOf(desk, () => answerTo(point, recording));
  if (outcome.kind !== 'done')
    return { ...withoutAnswer(point, finding.transport, outcome), statements: [...statements] };
  const { verdict, answer } = outcome.value;
  return { ...finding, verdict, answer: answer.slice(0, ANSWER_LENGTH), statements: [...statements] };
}

async function answerTo(point: ProbePoint, desk: ProbeDesk): Promise<Pick<Finding, 'verdict' | 'answer'>> {
  if ('tell' in point) return { verdict: 'informs', answer: await point.tell(desk) };
  const { holds, answer } = await point.judge(desk);
  return { verdict: holds ? 'holds' : 'does_not_hold', answer };
}

/** A refusal answers a question that only informs, and contradicts an assumption. */
function withoutAnswer(point: ProbePoint, transport: TransportName, { kind, reason }: Refusal): Finding {
  const refused: Verdict = 'tell' in point ? 'informs' : 'does_not_hold';
  const answer = `${kind === 'refused' ? 'refused' : 'could not be asked'}: ${reason}`.slice(
    0,
    ANSWER_LENGTH,
  );
  return { transport, point, verdict: kind === 'refused' ? refused : 'not_asked', answer, statements: [] };
}

/** Statements are written down without the prefix of the run, so that both transports send the same ones. */
function withRecording({ database, names }: ProbeDesk, statements: Set<string>): ProbeDesk['database'] {
  const ask: RawDatabase['ask'] = (statement) => {
    statements.add(statement.sql.replaceAll(names.prefix, 'PREFIX_'));
    return database.ask(statement);
  };
  if (database.transport === 'thin') return { ...database, ask };
  return {
    ...database,
    ask,
    post(body, authorization) {
      statements.add(`POST /_/sql ${body}`);
      return database.post(body, authorization);
    },
  };
}
