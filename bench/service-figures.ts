import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import type { Figure } from './figure.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { percentile, time } from './statistics.ts';

const MESSAGES = 10_000;
const BATCH = 500;
const SEARCHES = 60;
const SUBJECTS = [
  'garden',
  'train',
  'invoice',
  'violin',
  'harbour',
  'recipe',
  'passport',
  'telescope',
  'bicycle',
  'novel',
];
const VERBS = ['planned', 'repaired', 'forgot', 'bought', 'described', 'compared', 'painted', 'postponed'];
const PLACES = [
  'Lisbon',
  'Kyoto',
  'Oslo',
  'Lima',
  'Accra',
  'Turin',
  'Cork',
  'Hanoi',
  'Quito',
  'Graz',
  'Perth',
];

function sentence(index: number): string {
  const [subject, verb, place] = [SUBJECTS, VERBS, PLACES].map(
    (words, step) => words[(index * (step * 2 + 3)) % words.length],
  );
  return `On day ${index} I ${verb} the ${subject} near ${place} and noted what mattered about it for the next visit.`;
}

async function fill(service: ServiceProcess): Promise<readonly number[]> {
  const memory = createAgentMemoryClient({ baseUrl: service.url });
  const thread = await memory.createThread({ userId: 'bench', extraction: { extractMemories: false } });
  return time(MESSAGES / BATCH, (batch) =>
    thread.addMessages(
      Array.from({ length: BATCH }, (_, index) => ({
        role: 'user',
        content: sentence(batch * BATCH + index),
      })),
    ),
  );
}

function search(service: ServiceProcess): Promise<readonly number[]> {
  const memory = createAgentMemoryClient({ baseUrl: service.url });
  return time(SEARCHES, (index) =>
    memory.search(`What about the ${SUBJECTS[index % SUBJECTS.length]}?`, { userId: 'bench' }),
  );
}

/** Start times, search times and memory of `npm start` over 10,000 stored messages. */
export async function serviceFigures(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'agent-memory-bench-'));
  try {
    const first = await startServiceProcess({ DATA_DIR: directory });
    const writes = await fill(first);
    const searches = await search(first);
    const resident = first.residentMegabytes();
    await first.stop();
    const second = await startServiceProcess({ DATA_DIR: directory });
    await second.stop();
    return [
      {
        name: 'start to first answer, empty directory',
        value: first.startMilliseconds,
        unit: 'ms',
        bound: 8_000,
      },
      {
        name: 'start to first answer, existing directory',
        value: second.startMilliseconds,
        unit: 'ms',
        bound: 4_000,
      },
      { name: `addMessages, batch of ${BATCH}, p50`, value: percentile(writes, 0.5), unit: 'ms' },
      {
        name: `search over ${MESSAGES} messages, p50`,
        value: percentile(searches, 0.5),
        unit: 'ms',
        bound: 60,
      },
      { name: `search over ${MESSAGES} messages, p95`, value: percentile(searches, 0.95), unit: 'ms' },
      ...(resident === undefined
        ? []
        : [
            {
              name: `resident memory at ${MESSAGES} messages`,
              value: resident,
              unit: 'MB' as const,
              bound: 900,
            },
          ]),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
