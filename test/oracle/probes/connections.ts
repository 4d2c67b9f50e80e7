import { NotAsked } from '../raw/raw-database.ts';
import type { ThinConnectionChanges } from '../raw/raw-thin.ts';
import { ordsOf, type Probe, type ProbeDesk, thinOf } from './probe.ts';

const SAMPLES = 5;

function spread(milliseconds: readonly number[]): string {
  const sorted = milliseconds.map(Math.round).sort((one, other) => one - other);
  return `${sorted[0]} to ${sorted.at(-1)} ms, median ${sorted[Math.floor(sorted.length / 2)]} ms, of ${sorted.length}`;
}

async function tellConnect(desk: ProbeDesk, changes: ThinConnectionChanges): Promise<string> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) samples.push(await thinOf(desk).connect(changes));
  return spread(samples);
}

async function tellRequests(desk: ProbeDesk): Promise<string> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const started = performance.now();
    await ordsOf(desk).ask({ sql: 'SELECT 1 AS one FROM dual' });
    samples.push(performance.now() - started);
  }
  return spread(samples);
}

/** Question 13. */
export const CONNECTIONS: Probe = {
  number: 13,
  question: 'How long does a connection take, and what becomes of one in a process that was frozen?',
  points: [
    { asks: 'opening a session', over: ['thin'], tell: (desk) => tellConnect(desk, {}) },
    {
      asks: 'opening a session with useSNI',
      over: ['thin'],
      tell: (desk) => tellConnect(desk, { useSNI: true }),
    },
    {
      asks: 'opening a session of a pooled server (DRCP)',
      over: ['thin'],
      tell: (desk) => tellConnect(desk, { pooledServer: true }),
    },
    { asks: 'a request of one row', over: ['ords'], tell: tellRequests },
    {
      asks: 'a session after a freeze of the process',
      over: ['thin'],
      async tell() {
        throw new NotAsked(
          'it takes a function that AWS Lambda freezes; the driver pings before use (pool-options.ts)',
        );
      },
    },
  ],
};
