import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LiveRun, passes, renderAnswerSheet } from './answer-sheet.ts';
import { PARTS } from './live-options.ts';
import { PROBES } from './probes/all-probes.ts';
import type { Finding } from './probes/ask-probe.ts';
import type { Product } from './product.ts';

const ROOT = join(import.meta.dirname, '../..');
const [PROBE] = PROBES;
const [POINT] = PROBE?.points ?? [];
const ORACLE: Product = { kind: 'oracle', name: 'Oracle AI Database 26ai 23.26.1.0.0' };
const EMULATOR: Product = { kind: 'emulator', name: 'Oracle Database 23ai emulator' };
const UNKNOWN: Product = { kind: 'unknown', name: 'a database' };
const CLAIM = /tested on oracle/i;

function finding(verdict: Finding['verdict']): Finding {
  if (POINT === undefined) throw new Error('there are no probes');
  return { transport: 'ords', point: POINT, verdict, answer: 'a | b\nc', statements: ['SELECT 1'] };
}

function runOf(changes: Partial<LiveRun>, verdicts: readonly Finding['verdict'][] = ['holds']): LiveRun {
  if (PROBE === undefined) throw new Error('there are no probes');
  return {
    askedAt: new Date('2026-11-30T12:00:00Z'),
    products: new Map([['ords', ORACLE]]),
    parts: PARTS,
    isWhole: true,
    suites: [{ title: 'the store over ords', passed: 3, skipped: 0, failures: [] }],
    answers: [{ probe: PROBE, findings: verdicts.map(finding) }],
    leftBehind: [],
    ...changes,
  };
}

describe('the answer sheet', () => {
  it('says that it was tested on Oracle for a whole run on Oracle that passes', () => {
    expect(renderAnswerSheet(runOf({}))).toMatch(CLAIM);
    expect(renderAnswerSheet(runOf({}))).toContain('Oracle AI Database 26ai 23.26.1.0.0 over ords');
  });

  it.each<[string, LiveRun]>([
    ['the emulator', runOf({ products: new Map([['ords', EMULATOR]]) })],
    [
      'the emulator beside Oracle',
      runOf({
        products: new Map([
          ['thin', ORACLE],
          ['ords', EMULATOR],
        ]),
      }),
    ],
    ['a database that does not say what it is', runOf({ products: new Map([['ords', UNKNOWN]]) })],
    ['a part of the suite', runOf({ isWhole: false })],
    ['an assumption that does not hold', runOf({}, ['holds', 'does_not_hold'])],
    ['something left behind', runOf({ leftBehind: [{ type: 'TABLE', name: 'LIVE000000SO_MEMORY_META' }] })],
    ['a case that fails', runOf({ suites: [{ title: 'store', passed: 1, skipped: 0, failures: ['x: y'] }] })],
  ])('does not say so of %s', (_title, run) => {
    expect(renderAnswerSheet(run)).not.toMatch(CLAIM);
  });

  it('fails what contradicts an assumption, and not what informs or could not be asked', () => {
    expect(passes(runOf({}, ['holds', 'informs', 'not_asked']))).toBe(true);
    expect(passes(runOf({}, ['holds', 'does_not_hold']))).toBe(false);
    expect(renderAnswerSheet(runOf({}, ['holds', 'does_not_hold']))).toContain('**does not hold**');
  });

  it('fails cases and what is left behind, and names them', () => {
    const failing = runOf({ suites: [{ title: 'the store', passed: 1, skipped: 0, failures: ['x: y'] }] });
    const littered = runOf({ leftBehind: [{ type: 'TABLE', name: 'LIVE000000SO_MEMORY_META' }] });
    expect([passes(failing), passes(littered)]).toEqual([false, false]);
    expect(renderAnswerSheet(failing)).toContain('- the store: x: y');
    expect(renderAnswerSheet(littered)).toContain('- TABLE LIVE000000SO_MEMORY_META');
  });

  it('keeps answers in their cells', () => {
    expect(renderAnswerSheet(runOf({}))).toContain('| a \\| b / c |');
  });

  it('says what could not be asked of a question', () => {
    expect(renderAnswerSheet(runOf({}, ['not_asked']))).toMatch(/\| not configured \| could not be asked \|/);
    expect(renderAnswerSheet(runOf({}, ['holds', 'not_asked']))).toContain(
      'holds (1 of 2 points could not be asked)',
    );
  });
});

describe('the open questions', () => {
  it('are sixteen, in their order', () => {
    expect(PROBES.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    for (const { points } of PROBES) expect(points.length).toBeGreaterThan(0);
  });

  const places = PROBES.flatMap(({ points }) =>
    points.flatMap((point) => ('place' in point ? point.place : [])),
  );
  it.each([...new Set(places)])('name a place that is there: %s', async (place) => {
    const [, path = '', name = ''] = /^(\S+): (.+)$/.exec(place) ?? [];
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(await readFile(join(ROOT, path), 'utf8')).toContain(name);
  });
});
