import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { createBm25, type Scorer } from './bm25.ts';
import type { Conversation, Question } from './data-set.ts';
import { mean, ranking, recall } from './recall.ts';
import { turnText } from './store-conversation.ts';

/** Ranks the turns of a conversation for a question, best first. */
export type TurnSearch = (question: Question) => Promise<readonly string[]> | readonly string[];

export const DEPTHS = [1, 5, 10, 20] as const;
/** Enough turns to see ten different sessions. */
const SEARCHED = 100;
const ANSWERABLE = new Set([1, 2, 3, 4]);

/** Recall of evidence at each of `DEPTHS`. */
export interface RecallFigures {
  /** Turns, questions of categories 1 to 4. */
  readonly turns: readonly number[];
  /** Sessions in the order in which their turns are found, all questions. */
  readonly sessions: readonly number[];
}

/** Plain BM25 over the same texts, one index a conversation. */
export function bm25Search(conversation: Conversation): TurnSearch {
  const turns = conversation.sessions.flatMap((session) =>
    session.turns.map(({ id, text }) => ({ id, text: turnText(session, text) })),
  );
  const score: Scorer = createBm25(turns.map(({ text }) => text));
  return ({ text }) =>
    ranking(score(text))
      .slice(0, SEARCHED)
      .flatMap((index) => turns[index]?.id ?? []);
}

/** The search of the product. */
export function memorySearch(memory: AgentMemory, conversation: Conversation): TurnSearch {
  return async ({ text }) => {
    const found = await memory.search(text, {
      userId: conversation.id,
      recordTypes: ['message'],
      maxResults: SEARCHED,
    });
    return found.map(({ id }) => (id ?? '').slice(conversation.id.length + 1));
  };
}

/** Asks every question of every conversation. */
export async function measureRecall(
  conversations: readonly Conversation[],
  searchIn: (conversation: Conversation) => TurnSearch,
): Promise<RecallFigures> {
  const turns: (readonly number[])[] = [];
  const sessions: (readonly number[])[] = [];
  for (const conversation of conversations) {
    const search = searchIn(conversation);
    for (const question of conversation.questions) {
      const found = await search(question);
      if (ANSWERABLE.has(question.category)) turns.push(atDepths(found, question.evidence));
      const foundSessions = [...new Set(found.map(sessionOf))];
      sessions.push(atDepths(foundSessions, new Set([...question.evidence].map(sessionOf))));
    }
  }
  return { turns: averages(turns), sessions: averages(sessions) };
}

function sessionOf(turnId: string): string {
  return turnId.split(':')[0] ?? '';
}

function atDepths(found: readonly string[], evidence: ReadonlySet<string>): readonly number[] {
  return DEPTHS.map((depth) => recall(found, evidence, depth));
}

function averages(rows: readonly (readonly number[])[]): readonly number[] {
  return DEPTHS.map((_, index) => mean(rows.map((row) => row[index] ?? 0)));
}
