import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { type FaultedCall, type TnsFault, TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { addNote, CREATE_NOTE, countNotes } from '../conformance/transport-note.ts';
import { connectThin } from '../connect-thin.ts';

const NUMBERS = [28, 60, 1012, 1013, 3113, 4068, 8177] as const;
const CALLERS = 6;
const CALLS = 20;
const KEYS = {
  name: 'conformance.keys',
  sql: 'SELECT n.note_id AS note_id FROM conformance_note n',
  binds: {},
  shape: { note_id: 'text' },
} as const;

/** Numbers from 0 to 1, the same for the same seed (a linear congruential generator, Numerical Recipes). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One call in seven goes wrong, each time in another way. */
class RandomFaults extends TnsFaults {
  isActive = false;
  readonly #random: () => number;

  constructor(random: () => number) {
    super();
    this.#random = random;
  }

  override take(_call: FaultedCall): TnsFault | undefined {
    if (!this.isActive || this.#random() > 0.15) return undefined;
    const until = setTimeout(this.#random() * 20);
    const faults: readonly TnsFault[] = [
      { kind: 'cut', when: 'before' },
      { kind: 'cut', when: 'after' },
      { kind: 'raise', number: NUMBERS[Math.floor(this.#random() * NUMBERS.length)] ?? 60 },
      { kind: 'wait', until },
      { kind: 'hold', until },
    ];
    return faults[Math.floor(this.#random() * faults.length)];
  }
}

/** Writes notes, some of which it gives up, and returns the keys of those that it was told are there. */
async function writeNotes(
  transport: SqlTransport,
  caller: number,
  random: () => number,
): Promise<readonly string[]> {
  const written: string[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const note_id = `n${caller}-${call}`;
    const signal = random() < 0.2 ? AbortSignal.timeout(Math.floor(random() * 10)) : undefined;
    try {
      await transport.executeAtomic(addNote({ note_id }), { signal });
      written.push(note_id);
    } catch (error) {
      const isExpected = AgentMemoryError.is(error) ? error.retryable : signal?.aborted;
      if (!isExpected) throw error;
    }
  }
  return written;
}

it.each([1, 2, 3])(
  'loses nothing that it said was written, whatever happens meanwhile (%i)',
  async (seed) => {
    const random = numbersOf(seed);
    const faults = new RandomFaults(random);
    const emulator = await startEmulator({ tnsPort: 0, tnsFaults: faults });
    const transport = connectThin(emulator);
    try {
      await transport.executeDdl(CREATE_NOTE);
      faults.isActive = true;
      const callers = Array.from({ length: CALLERS }, (_, caller) => writeNotes(transport, caller, random));
      const written = (await Promise.all(callers)).flat();
      faults.isActive = false;
      const stored = new Set((await transport.query(KEYS)).map((row) => row.note_id));
      expect(written.filter((key) => !stored.has(key))).toEqual([]);
      expect(written.length).toBeGreaterThan(CALLERS);
      expect(await countNotes(transport)).toBe(stored.size);
    } finally {
      await transport.close();
      await emulator.close();
    }
  },
);
