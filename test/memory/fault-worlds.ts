import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { createManualClock, createScriptedLlm, type ManualClock } from '../../lib/testing/index.ts';
import { ageJobs, emptyTables } from '../conformance/store-stage.ts';
import { openEmulatedMemory } from './emulated-memory.ts';
import { createInMemoryStore } from './in-memory-store.ts';
import { createTestContext } from './test-context.ts';

/** A store whose calls can be made to fail as a database fails, and the time that it lives in. */
export interface FaultWorld {
  readonly clock: ManualClock;
  /** An empty store, and what a process needs beside it. */
  fresh(): Promise<MemoryContext>;
  /** The database gives up in the middle of the call, and undoes it. */
  failWithin<Result>(call: () => Promise<Result>): Promise<Result>;
  /** The database does it, and the answer never arrives. */
  loseAnswer<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Lets time pass for processes and database alike. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const away = () => new AgentMemoryError('unavailable', 'The database is away.');
const newClock = () => createManualClock({ sleepAdvances: false });

async function openInMemoryWorld(): Promise<FaultWorld> {
  const clock = newClock();
  return {
    clock,
    fresh: async () => createTestContext({ context: { clock, store: createInMemoryStore(clock) } }).context,
    failWithin: () => Promise.reject(away()),
    async loseAnswer(call) {
      await call();
      throw away();
    },
    pass: async (seconds) => clock.advance(seconds * 1_000),
    close: async () => {},
  };
}

/** The faults are those of the engine: a statement of the block raises, or the connection ends after the commit. */
async function openEmulatedWorld(): Promise<FaultWorld> {
  const clock = newClock();
  let statementsLeft: number | null = null;
  let losesAnswer = false;
  const { context, transport, names, memory } = await openEmulatedMemory(createScriptedLlm({}), {
    faults: {
      beforeStatement() {
        if (statementsLeft === 0) throw new OracleError(60, 'deadlock detected while waiting for resource');
        if (statementsLeft !== null) statementsLeft -= 1;
      },
      afterCommit() {
        if (losesAnswer) throw new Error('the connection ended');
      },
    },
  });
  return {
    clock,
    async fresh() {
      await emptyTables(transport, names);
      return { ...context, clock };
    },
    async failWithin(call) {
      statementsLeft = 1;
      return call().finally(() => {
        statementsLeft = null;
      });
    },
    async loseAnswer(call) {
      losesAnswer = true;
      return call().finally(() => {
        losesAnswer = false;
      });
    },
    async pass(seconds) {
      clock.advance(seconds * 1_000);
      await ageJobs({ transport, names }, seconds);
    },
    close: () => memory.close(),
  };
}

export const FAULT_WORLDS: Readonly<Record<string, () => Promise<FaultWorld>>> = {
  'the store in memory': openInMemoryWorld,
  'the emulated database': openEmulatedWorld,
};

/** Where and how a process or what it calls fails. */
export interface Fault {
  /** A method of the store, `model` or `send`. */
  readonly at: keyof MemoryStore | 'model' | 'send';
  /** Before the call, in the middle of it or after it. */
  readonly when: 'before' | 'within' | 'after';
  /** Whether the call fails or the process that makes it ends. */
  readonly how: 'error' | 'kill';
  /** How often. @default 1 */
  readonly times?: number;
  /** @default `unavailable` */
  readonly error?: Error;
}

/** The faults that are still to come, and what they do to calls. */
export function createFaultPlan(world: FaultWorld, faults: readonly Fault[]) {
  const left = faults.map((fault) => ({ fault, times: fault.times ?? 1 }));

  function take(at: Fault['at']): Fault | undefined {
    const entry = left.find(({ fault, times }) => fault.at === at && times > 0);
    if (entry !== undefined) entry.times -= 1;
    return entry?.fault;
  }

  /** A process: its calls fail as planned, and none of them returns after its end. */
  function startProcess(context: MemoryContext) {
    const ended = Promise.withResolvers<'ended'>();
    let isRunning = true;
    const never = () => new Promise<never>(() => {});

    function end(): Promise<never> {
      isRunning = false;
      ended.resolve('ended');
      return never();
    }

    async function around<Result>(at: Fault['at'], call: () => Promise<Result>): Promise<Result> {
      if (!isRunning) return never();
      const fault = take(at);
      if (fault === undefined) return call();
      if (fault.how === 'kill') {
        if (fault.when === 'after') await call();
        return end();
      }
      if (fault.when === 'within') return world.failWithin(call);
      if (fault.when === 'after') return world.loseAnswer(call);
      throw fault.error ?? away();
    }

    const { llm, jobQueue, store } = context;
    const faulty: MemoryContext = {
      ...context,
      store: aroundEachMethod(store, around),
      llm: llm && { ...llm, generate: (call) => around('model', () => llm.generate(call)) },
      jobQueue: jobQueue && {
        ...jobQueue,
        send: (wakeUp, options) => around('send', () => jobQueue.send(wakeUp, options)),
      },
      clock: {
        now: () => context.clock.now(),
        sleep: (milliseconds, signal) =>
          context.clock.sleep(milliseconds, signal).then(() => (isRunning ? undefined : never())),
      },
    };
    return { context: faulty, ended: ended.promise };
  }

  return { startProcess, isUsedUp: () => left.every(({ times }) => times === 0) };
}

function aroundEachMethod(
  store: MemoryStore,
  around: (at: keyof MemoryStore, call: () => Promise<unknown>) => Promise<unknown>,
): MemoryStore {
  return new Proxy(
    { ...store },
    {
      get(target, name: keyof MemoryStore) {
        const method: unknown = target[name];
        if (typeof method !== 'function') return method;
        return (...values: unknown[]) => around(name, async () => Reflect.apply(method, target, values));
      },
    },
  );
}
