import type { SuiteResult } from './conformance/run-conformance.ts';
import type { Part } from './live-options.ts';
import type { Finding, Verdict } from './probes/ask-probe.ts';
import type { Probe } from './probes/probe.ts';
import type { Product } from './product.ts';
import { TRANSPORT_NAMES, type TransportName } from './raw/raw-database.ts';
import type { ThrowAwayObject } from './throw-away-objects.ts';

/** What a run found out. */
export interface LiveRun {
  readonly askedAt: Date;
  readonly products: ReadonlyMap<TransportName, Product>;
  /** How much of the suite ran. */
  readonly parts: readonly Part[];
  readonly isWhole: boolean;
  readonly suites: readonly SuiteResult[];
  readonly answers: readonly { readonly probe: Probe; readonly findings: readonly Finding[] }[];
  /** What could not be dropped. */
  readonly leftBehind: readonly ThrowAwayObject[];
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  does_not_hold: '**does not hold**',
  holds: 'holds',
  informs: 'informs',
  not_asked: 'could not be asked',
};
/** The first of these that a question has over a transport is its verdict. */
const WEIGHT: readonly Verdict[] = ['does_not_hold', 'holds', 'informs', 'not_asked'];
const NOT_CONFIGURED = 'not configured';

/** Whether nothing failed: no case, no assumption, nothing left behind. */
export function passes({ suites, answers, leftBehind }: LiveRun): boolean {
  const contradicted = answers.some(({ findings }) =>
    findings.some(({ verdict }) => verdict === 'does_not_hold'),
  );
  return !contradicted && leftBehind.length === 0 && suites.every(({ failures }) => failures.length === 0);
}

/** The answer sheet of a run, in Markdown. */
export function renderAnswerSheet(run: LiveRun): string {
  return [
    '# Answer sheet',
    conclusion(run),
    `Asked on ${run.askedAt.toISOString()}. Parts: ${run.parts.join(', ')}.`,
    table(
      ['transport', 'answered by'],
      [...run.products].map(([name, product]) => [name, labelOf(product)]),
    ),
    ...conformance(run),
    ...leftBehind(run),
    ...(run.answers.length === 0 ? [] : ['## Open questions', overview(run)]),
    ...run.answers.flatMap(({ probe, findings }) => question(probe, findings)),
  ]
    .join('\n\n')
    .concat('\n');
}

function labelOf({ kind, name }: Product): string {
  if (kind === 'oracle') return name;
  return kind === 'emulator' ? `the emulator of this project (${name})` : `not known: ${name}`;
}

/** Only a whole run on Oracle Database that found nothing wrong may say so. */
function conclusion(run: LiveRun): string {
  const products = [...run.products.values()];
  if (products.some(({ kind }) => kind === 'emulator')) {
    return 'The emulator of this project has answered. These answers say what the emulator does, and nothing about Oracle Database.';
  }
  if (products.some(({ kind }) => kind !== 'oracle')) {
    return 'What has answered does not say that it is Oracle Database. These answers are no evidence about it.';
  }
  if (!passes(run)) return '**Failed on Oracle Database.** See below for what does not hold.';
  if (!run.isWhole) return 'A part of the suite passed on Oracle Database. Only a whole run is a test of it.';
  const names = [...run.products].map(([name, product]) => `${product.name} over ${name}`);
  return `**Tested on Oracle:** ${names.join('; ')}.`;
}

function conformance({ suites }: LiveRun): readonly string[] {
  if (suites.length === 0) return [];
  const failures = suites.flatMap(({ title, failures: failed }) =>
    failed.map((each) => `- ${title}: ${cell(each)}`),
  );
  return [
    '## Conformance cases',
    table(
      ['suite', 'passed', 'failed', 'left out'],
      suites.map((suite) => [
        suite.title,
        String(suite.passed),
        String(suite.failures.length),
        String(suite.skipped),
      ]),
    ),
    ...(failures.length === 0 ? [] : [failures.join('\n')]),
  ];
}

function leftBehind(run: LiveRun): readonly string[] {
  if (run.leftBehind.length === 0) return ['Everything that this run created was dropped.'];
  const objects = run.leftBehind.map(({ type, name }) => `- ${type} ${name}`);
  return [`**Left behind**, to be dropped by hand:\n\n${objects.join('\n')}`];
}

function overview({ answers, products }: LiveRun): string {
  return table(
    ['', 'question', ...TRANSPORT_NAMES],
    answers.map(({ probe, findings }) => [
      String(probe.number),
      probe.question,
      ...TRANSPORT_NAMES.map((name) =>
        products.has(name)
          ? verdictOf(findings.filter(({ transport }) => transport === name))
          : NOT_CONFIGURED,
      ),
    ]),
  );
}

function verdictOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'asked over the other transport only';
  const verdict = WEIGHT.find((each) => findings.some((finding) => finding.verdict === each)) ?? 'not_asked';
  const unanswered = findings.filter((finding) => finding.verdict === 'not_asked').length;
  if (verdict === 'not_asked' || unanswered === 0) return VERDICTS[verdict];
  return `${VERDICTS[verdict]} (${unanswered} of ${findings.length} points could not be asked)`;
}

function question({ number, question: text }: Probe, findings: readonly Finding[]): readonly string[] {
  const rows = findings.map(({ transport, point, verdict, answer }) => [
    transport,
    point.asks,
    'assumes' in point ? `${point.assumes} (\`${point.place}\`)` : '–',
    VERDICTS[verdict],
    answer,
  ]);
  const statements = [...new Set(findings.flatMap((finding) => finding.statements))];
  return [
    `### ${number}. ${text}`,
    table(['over', 'asked', 'this program assumes', '', 'answer'], rows),
    ...(statements.length === 0
      ? []
      : [`Sent:\n\n\`\`\`\n${statements.map(shortened).join('\n\n')}\n\`\`\``]),
  ];
}

const STATEMENT_LENGTH = 900;
function shortened(statement: string): string {
  return statement.length <= STATEMENT_LENGTH ? statement : `${statement.slice(0, STATEMENT_LENGTH)} …`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' / ').replaceAll('|', '\\|');
}
