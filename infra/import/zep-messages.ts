import { isBlank } from '../../lib/schemas/well-formed.ts';
import { derivedId } from './derived-id.ts';
import type { ExportReader } from './export-reader.ts';
import type { PlannedMessage } from './import-plan.ts';
import { type ZepMessage, type ZepThread, zepMessageSchema } from './zep-schemas.ts';

type Path = readonly PropertyKey[];

/**
 * The messages of a thread, a list or the page that lists them, oldest first.
 *
 * @param path Of the thread
 */
export async function readMessages(
  reader: ExportReader,
  { messages: given }: ZepThread,
  threadId: string,
  path: Path,
): Promise<readonly PlannedMessage[]> {
  const isPage = given != null && !Array.isArray(given);
  const list = (isPage ? given.messages : given) ?? [];
  const start = [...path, 'messages', ...(isPage ? ['messages'] : [])];
  const messages: PlannedMessage[] = [];
  for (const [index, value] of list.entries()) {
    const message = reader.read(zepMessageSchema, value, [...start, index], 'a message');
    if (message === undefined) continue;
    const { content } = message;
    if (content == null || isBlank(content)) reader.leaveOut('messages without text');
    else
      messages.push(
        await planMessage(reader, { ...message, content }, `${threadId}\n${index}`, [...start, index]),
      );
  }
  return inOrder(reader.withoutRepetitions(messages, ({ id }) => id, 'messages'));
}

async function planMessage(
  reader: ExportReader,
  message: ZepMessage & { readonly content: string },
  place: string,
  path: Path,
): Promise<PlannedMessage> {
  const role = message.role_type ?? message.role ?? 'norole';
  const name = message.name ?? (message.role_type == null ? undefined : message.role);
  const id = message.uuid ?? (await derivedId('message', place, message.content));
  if (role === '' || role.length > 30) reader.addFault([...path, 'role'], 'must have 1 to 30 characters');
  return {
    id,
    role,
    content: message.content,
    timestamp: message.reference_time ?? message.created_at ?? undefined,
    metadata: reader.metadata(message.metadata, 'zep', { name }, path),
  };
}

/** By time when every message has one: Zep lists the newest first on request. */
function inOrder(messages: readonly PlannedMessage[]): readonly PlannedMessage[] {
  if (messages.some(({ timestamp }) => timestamp === undefined)) return messages;
  return messages.toSorted(
    (one, other) => Date.parse(one.timestamp ?? '') - Date.parse(other.timestamp ?? ''),
  );
}
