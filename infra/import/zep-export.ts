import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { isBlank } from '../../lib/schemas/well-formed.ts';
import { derivedId } from './derived-id.ts';
import type { ExportDocument } from './export-document.ts';
import { ExportReader } from './export-reader.ts';
import type { ImportPlan, PlannedMemory, PlannedThread, PlannedUser } from './import-plan.ts';
import { readMessages } from './zep-messages.ts';
import {
  type ZepThread,
  type ZepUser,
  zepEdgeSchema,
  zepThreadSchema,
  zepUserSchema,
} from './zep-schemas.ts';

type Path = readonly PropertyKey[];

/** Whose a thread or a fact becomes. */
interface Owners {
  readonly userId: string;
  readonly agentId: string;
}

interface Parts {
  readonly users: PlannedUser[];
  readonly threads: PlannedThread[];
  readonly memories: PlannedMemory[];
}

/**
 * What is to be written of an export of Zep: users, each with its `threads` (or `sessions`), which have their `messages`,
 * and with the `edges` of its graph; as `{ "users": [] }`, as a list, or as one user a line.
 *
 * @param agentId Whose the threads and facts become: Zep has no agents, and a card only shows what its thread's agent has
 * @throws AgentMemoryError `invalid_request` with every line and field that is wrong
 */
export async function readZepExport(
  document: ExportDocument,
  agentId: string | undefined,
): Promise<ImportPlan> {
  if (agentId === undefined)
    throw invalidRequest('--agent-id', 'is needed: Zep has no agents, threads here do');
  const reader = new ExportReader(document);
  const parts: Parts = { users: [], threads: [], memories: [] };
  for (const { value, path } of usersOf(reader, document)) {
    const user = reader.read(zepUserSchema, value, path, 'a user');
    if (user !== undefined) await readUser(reader, parts, user, agentId, path);
  }
  const plan = {
    users: reader.withoutRepetitions(parts.users, ({ userId }) => userId, 'users'),
    threads: reader.withoutRepetitions(parts.threads, ({ threadId }) => threadId, 'threads'),
    memories: reader.withoutRepetitions(parts.memories, ({ memoryId }) => memoryId, 'facts'),
    leftOut: reader.leftOut,
  };
  reader.requireFaultless();
  return plan;
}

function usersOf(reader: ExportReader, { value }: ExportDocument): readonly { value: unknown; path: Path }[] {
  if (Array.isArray(value)) return value.map((each: unknown, index) => ({ value: each, path: [index] }));
  const users: unknown = Reflect.get(Object(value), 'users');
  if (Array.isArray(users)) {
    return users.map((each: unknown, index) => ({ value: each, path: ['users', index] }));
  }
  const isUser = ['user_id', 'uuid'].some((name) => Reflect.has(Object(value), name));
  if (isUser) return [{ value, path: [] }];
  reader.addFault([], 'holds no users: expected a list of users, alone or as users');
  return [];
}

async function readUser(
  reader: ExportReader,
  parts: Parts,
  user: ZepUser,
  agentId: string,
  path: Path,
): Promise<void> {
  const userId = user.user_id ?? user.uuid;
  if (userId == null) return reader.addFault([...path, 'user_id'], 'is needed');
  const owners = { userId, agentId };
  const profile = readProfile(reader, user, userId, path);
  if (profile !== undefined) parts.users.push(profile);
  for (const name of ['threads', 'sessions'] as const) {
    for (const [index, value] of (user[name] ?? []).entries()) {
      await readThread(reader, parts, value, owners, [...path, name, index]);
    }
  }
  for (const name of ['edges', 'facts'] as const) {
    for (const [index, value] of (user[name] ?? []).entries()) {
      const fact = readEdge(reader, value, owners, [...path, name, index]);
      if (fact !== undefined) parts.memories.push(fact);
    }
  }
}

function readProfile(
  reader: ExportReader,
  user: ZepUser,
  userId: string,
  path: Path,
): PlannedUser | undefined {
  const name = [user.first_name, user.last_name].filter((part) => part != null && !isBlank(part)).join(' ');
  const lines = [
    ...(name === '' ? [] : [`Name: ${name}`]),
    ...(user.email == null || isBlank(user.email) ? [] : [`Email: ${user.email}`]),
  ];
  if (lines.length === 0) return void reader.leaveOut('profiles of users without name and email');
  const metadata = reader.metadata(user.metadata, 'zep', { created_at: user.created_at }, path);
  return { userId, information: lines.join('\n'), metadata };
}

async function readThread(
  reader: ExportReader,
  parts: Parts,
  value: unknown,
  owners: Owners,
  path: Path,
): Promise<void> {
  const thread = reader.read(zepThreadSchema, value, path, 'a thread');
  if (thread === undefined) return;
  const threadId = thread.thread_id ?? thread.session_id ?? thread.uuid;
  if (threadId == null) return reader.addFault([...path, 'thread_id'], 'is needed');
  if (thread.user_id != null && thread.user_id !== owners.userId) {
    reader.addFault([...path, 'user_id'], 'is another user than the one that has the thread');
  }
  const metadata = reader.metadata(thread.metadata, 'zep', { created_at: thread.created_at }, path);
  const messages = await readMessages(reader, thread, threadId, path);
  parts.threads.push({ threadId, ...owners, metadata, messages });
  parts.memories.push(...(await readThreadFacts(thread, threadId, owners)));
}

function readEdge(
  reader: ExportReader,
  value: unknown,
  { userId, agentId }: Owners,
  path: Path,
): PlannedMemory | undefined {
  const edge = reader.read(zepEdgeSchema, value, path, 'an edge');
  if (edge === undefined) return undefined;
  if (edge.fact == null || isBlank(edge.fact)) return void reader.leaveOut('edges without a fact');
  if (edge.invalid_at != null || edge.expired_at != null) {
    return void reader.leaveOut('facts that hold no longer');
  }
  const { name, attributes, created_at } = edge;
  return {
    ...{ memoryId: edge.uuid, memoryType: 'fact', content: edge.fact, userId, agentId, threadId: null },
    metadata: reader.metadata({}, 'zep', { relation: name, attributes, created_at }, path),
    timestamp: edge.valid_at ?? edge.created_at ?? null,
    ttlDays: undefined,
  };
}

/** Facts that version 2 keeps with a session, as texts alone. */
async function readThreadFacts(
  { facts, created_at: created }: ZepThread,
  threadId: string,
  { userId, agentId }: Owners,
): Promise<readonly PlannedMemory[]> {
  const texts = (facts ?? []).filter((fact) => !isBlank(fact));
  return Promise.all(
    texts.map(async (content) => ({
      ...{ memoryId: await derivedId('fact', threadId, content), memoryType: 'fact' as const, content },
      ...{ userId, agentId, threadId, metadata: { zep: {} }, timestamp: created ?? null, ttlDays: undefined },
    })),
  );
}
