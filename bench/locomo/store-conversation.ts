import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import type { Conversation, Session } from './data-set.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The beginning of a session as ISO-8601. */
export function sessionStart(date: string): Date {
  const parts = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(date);
  if (parts === null) throw new Error(`not a date of LoCoMo: ${date}`);
  const [hour = 0, minute = 0, day = 1, year = 0] = [parts[1], parts[2], parts[4], parts[6]].map(Number);
  const month = MONTHS.indexOf((parts[5] ?? '').toLowerCase());
  return new Date(Date.UTC(year, month, day, (hour % 12) + (parts[3] === 'pm' ? 12 : 0), minute));
}

/** The text of a turn as every scorer of this benchmark sees it: date, speaker, words, caption of a picture. */
export function turnText(session: Session, text: string): string {
  return `${session.date} ${text}`;
}

/** Stores a conversation: its id is the user, each session a thread, each turn a message with the id of the turn. */
export async function storeConversation(memory: AgentMemory, conversation: Conversation): Promise<void> {
  for (const session of conversation.sessions) {
    const thread = await memory.createThread({
      userId: conversation.id,
      extraction: { extractMemories: false },
    });
    const start = sessionStart(session.date).getTime();
    await thread.addMessages(
      session.turns.map((turn, index) => ({
        id: `${conversation.id} ${turn.id}`,
        role: 'user',
        content: turnText(session, turn.text),
        timestamp: new Date(start + index * 1_000).toISOString(),
      })),
    );
  }
}
