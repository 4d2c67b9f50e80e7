import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { Message, MessagesResponse } from '../schemas/message.ts';

/** Messages of a window that does not name its end (contract D9). */
const DEFAULT_WINDOW = 100;

interface Window {
  readonly start: number | undefined;
  /** −1 = to the end of the thread. */
  readonly end: number | undefined;
}

/** Reads one answer of `getMessages`. */
type ReadAnswer = (window: Window) => Promise<MessagesResponse>;

/** How many messages a window has at most. */
function windowSize({ start = 0, end }: Window): number {
  if (end === undefined) return DEFAULT_WINDOW;
  return end === -1 ? Number.POSITIVE_INFINITY : Math.max(0, end - start);
}

/**
 * Reads a whole window over as many answers as it takes. `nextStart` is an index, and indexes move when an earlier message
 * is deleted or expires. So a further answer has to hold a message that was read already; when it does not, the client
 * goes back until one does. Only when all that was read has gone meanwhile, the window's first index has to do.
 */
export async function readWindow(readAnswer: ReadAnswer, window: Window): Promise<readonly Message[]> {
  const first = await readAnswer(window);
  const messages = [...first.messages];
  const wanted = windowSize(window);
  const firstIndex = (first.nextStart ?? 0) - messages.length;
  let { nextStart } = first;
  while (nextStart !== null && messages.length < wanted) {
    const missing = wanted - messages.length;
    const end = missing === Number.POSITIVE_INFINITY ? -1 : nextStart + missing;
    const answer = await readOn(readAnswer, messages, { firstIndex, nextStart, end });
    messages.push(...answer.messages.slice(0, missing));
    nextStart = answer.nextStart;
  }
  return messages;
}

/** The next answer, without the messages that were read before. */
async function readOn(
  readAnswer: ReadAnswer,
  messages: readonly Message[],
  place: { readonly firstIndex: number; readonly nextStart: number; readonly end: number },
): Promise<MessagesResponse> {
  const known = new Set(messages.map(({ id }) => id));
  const readFrom = async (start: number): Promise<MessagesResponse> => {
    const answer = await readAnswer({ start, end: place.end });
    if (answer.messages.length > 0 || answer.nextStart === null) return answer;
    throw new AgentMemoryError('internal', 'The service gave an answer that does not go on.');
  };
  for (let back = 1; ; back *= 2) {
    const start = Math.max(0, place.nextStart - back);
    const answer = await readFrom(start);
    const overlap = answer.messages.findIndex(({ id }) => known.has(id));
    if (overlap >= 0) {
      const unread = answer.messages.findIndex(({ id }, index) => index > overlap && !known.has(id));
      return { ...answer, messages: unread === -1 ? [] : answer.messages.slice(unread) };
    }
    if (start === 0) return place.firstIndex === 0 ? answer : readFrom(place.firstIndex);
  }
}
