import * as z from 'zod';
import { identifierSchema, nullableIdentifierSchema } from '../../lib/schemas/identifier.ts';
import { CONTENT_LIMIT } from '../../lib/schemas/message.ts';
import { nullableMetadataSchema } from '../../lib/schemas/metadata.ts';
import { timestampSchema } from '../../lib/schemas/timestamp.ts';
import { boundedText, isBlank } from '../../lib/schemas/well-formed.ts';
import type { ExportDocument } from './export-document.ts';
import { ExportReader } from './export-reader.ts';
import type { ImportPlan, PlannedMemory } from './import-plan.ts';

const DAY_MILLISECONDS = 86_400_000;
/** A record cannot be given more (contract D10). */
const LONGEST_TTL_DAYS = 36_500;

/** What the SDK for TypeScript calls otherwise than the API and the SDK for Python. */
const PYTHON_NAMES: Readonly<Record<string, string>> = {
  userId: 'user_id',
  agentId: 'agent_id',
  appId: 'app_id',
  runId: 'run_id',
  actorId: 'actor_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  expirationDate: 'expiration_date',
};

const optionalId = nullableIdentifierSchema.optional();
const optionalTime = timestampSchema.nullish();
const memorySchema = z.looseObject({
  id: identifierSchema,
  memory: boundedText(0, CONTENT_LIMIT),
  user_id: optionalId,
  agent_id: optionalId,
  run_id: optionalId,
  app_id: z.string().nullish(),
  actor_id: z.string().nullish(),
  role: z.string().nullish(),
  metadata: nullableMetadataSchema.optional(),
  categories: z.array(z.string()).nullish(),
  created_at: optionalTime,
  updated_at: optionalTime,
  expiration_date: optionalTime,
});
type Mem0Memory = z.output<typeof memorySchema>;

interface Found {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/** Fields of a page of the platform that say nothing of a memory. */
const PAGE_FIELDS: ReadonlySet<string> = new Set(['results', 'memories', 'count', 'next', 'previous']);

/**
 * What is to be written of an export of mem0: the answer of `get_all`, of the open-source SDKs or of the platform, as a
 * list or as pages with `results`; one document or one a line. `run_id` becomes the thread that a memory names; mem0
 * keeps no messages, so that no thread is made.
 *
 * @param agentId For memories without one. They stay unscoped in that dimension when it is undefined
 * @throws AgentMemoryError `invalid_request` with every line and field that is wrong
 */
export function readMem0Export(document: ExportDocument, agentId: string | undefined, now: Date): ImportPlan {
  const reader = new ExportReader(document);
  const found = findMemories(reader, { value: document.value, path: [] });
  if (found.length === 0) {
    reader.addFault([], 'holds no memories: expected what get_all answers, a list or pages with results');
  }
  const memories = found.flatMap((each) => readMemory(reader, each, agentId, now) ?? []);
  const distinct = reader.withoutRepetitions(memories, ({ memoryId }) => memoryId, 'memories');
  reader.requireFaultless();
  return { users: [], threads: [], memories: distinct, leftOut: reader.leftOut };
}

/** The memories of a list, of a page, or of lists of them. */
function findMemories(reader: ExportReader, { value, path }: Found): readonly Found[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) =>
      findMemories(reader, { value: each, path: [...path, index] }),
    );
  }
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const name = ['results', 'memories'].find((each) => Array.isArray(fields.get(each)));
  if (name === undefined) return path.length === 0 && !fields.has('memory') ? [] : [{ value, path }];
  for (const [field, content] of fields) {
    if (PAGE_FIELDS.has(field)) continue;
    reader.leaveOut(`${field} of a page`, Array.isArray(content) ? content.length : 1);
  }
  return findMemories(reader, { value: fields.get(name), path: [...path, name] });
}

function readMemory(
  reader: ExportReader,
  { value, path }: Found,
  agentId: string | undefined,
  now: Date,
): PlannedMemory | undefined {
  const memory = reader.read(memorySchema, withPythonNames(value), path, 'a memory');
  if (memory === undefined) return undefined;
  if (isBlank(memory.memory)) return void reader.leaveOut('memories without text');
  const ttlDays = daysToLive(memory, now);
  if (ttlDays === 'over') return void reader.leaveOut('memories that have expired');
  const { app_id, actor_id, role, categories, updated_at } = memory;
  const from = { app_id, actor_id, role, categories, updated_at };
  return {
    memoryId: memory.id,
    memoryType: 'memory',
    content: memory.memory,
    userId: memory.user_id ?? null,
    agentId: memory.agent_id ?? agentId ?? null,
    threadId: memory.run_id ?? null,
    metadata: reader.metadata(memory.metadata, 'mem0', from, path),
    timestamp: memory.created_at ?? null,
    ttlDays,
  };
}

function withPythonNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [PYTHON_NAMES[name] ?? name, field] as const),
  );
}

/** mem0 shows a memory until its day is over; days here are whole, so that it may stay for up to a day more. */
function daysToLive(
  { expiration_date: day, created_at: created }: Mem0Memory,
  now: Date,
): number | undefined | 'over' {
  if (day == null) return undefined;
  const end = Date.parse(day) + DAY_MILLISECONDS;
  if (end <= now.getTime()) return 'over';
  const start = created == null ? now.getTime() : Date.parse(created);
  const days = Math.ceil((end - start) / DAY_MILLISECONDS);
  return Math.min(Math.max(1, days), LONGEST_TTL_DAYS);
}
