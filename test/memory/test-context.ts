import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { JOB_DEFAULTS, type MemoryContext, type MemorySettings } from '../../lib/memory/memory-context.ts';
import { withBatches } from '../../lib/models/embedding-batches.ts';
import {
  createHashEmbedder,
  createManualClock,
  createScriptedLlm,
  type LlmScript,
} from '../../lib/testing/index.ts';
import { createInMemoryStore } from './in-memory-store.ts';
import { wordTokenizer } from './word-tokenizer.ts';

export interface TestContextOptions {
  readonly script?: LlmScript;
  readonly settings?: Partial<MemorySettings>;
  readonly context?: Partial<MemoryContext>;
  readonly dimensions?: number;
  /** Whether waiting moves the clock; otherwise only the test does. @default false */
  readonly sleepAdvances?: boolean;
}

const SETTINGS: MemorySettings = {
  searchStrategy: 'vector',
  chunkTokens: 400,
  chunkOverlap: 50,
  extraction: { enableContextSummary: false },
  ...JOB_DEFAULTS,
};

/** A context over fakes, with the fakes. Ids are `id-1`, `id-2`, …; no running summary unless settings ask for it. */
export function createTestContext(options: TestContextOptions = {}) {
  const { sleepAdvances = false } = options;
  const clock = createManualClock({ start: '2026-03-01T09:00:00.000Z', sleepAdvances });
  const dimensions = options.dimensions ?? 256;
  const store = createInMemoryStore(clock, dimensions);
  const embedder = createHashEmbedder({ dimensions });
  const llm = createScriptedLlm(options.script ?? {});
  let ids = 0;
  const context: MemoryContext = {
    store,
    embedder: withBatches(embedder, { tokenizer: wordTokenizer }),
    llm,
    tokenizer: wordTokenizer,
    clock,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    settings: { ...SETTINGS, ...options.settings },
    ...options.context,
  };
  return { context, store, embedder, llm, clock, memory: new AgentMemory(context) };
}

/** One item of an extraction answer. */
export function extracted(content: string, fields: Readonly<Record<string, unknown>> = {}) {
  return {
    type: 'fact',
    content,
    importance: 3,
    entities: [],
    topic: 'topic',
    sourceMessageIds: [],
    supersedes: [],
    ...fields,
  };
}

/** A script whose extractions give these answers, one call after the other. */
export function extractionScript(...answers: readonly (string | object | Error)[]): LlmScript {
  return {
    memory_extraction: answers.map((answer) =>
      typeof answer === 'string' || answer instanceof Error ? answer : { ...answer },
    ),
  };
}
