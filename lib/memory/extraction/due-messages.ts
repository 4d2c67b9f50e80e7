import type { ExtractionInput } from '../../store/extraction/extraction-outcome.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';
import { withoutContextCards } from './context-card-echo.ts';

/** Roles of a dialogue. System, tool and internal messages are stored and searched, but not mined. */
const MINED_ROLES: ReadonlySet<string> = new Set(['user', 'assistant']);

/** The messages of a pass by what they are for; each list oldest first. */
export interface DueMessages {
  /** What the pass is about: sources of the memories. */
  readonly due: readonly StoredMessage[];
  /** What the extractor is shown: the due messages and the window before them (contract §8.1). */
  readonly shown: readonly StoredMessage[];
  /** What a running summary has to take in; empty when none is due. */
  readonly toSummarize: readonly StoredMessage[];
}

/** A stale summary waits for a pass that reaches the newest message, so that it is not made anew without the end. */
function isSummaryDue({ thread, uptoSequence }: ExtractionInput): boolean {
  const { enableContextSummary, contextSummaryUpdateFrequency } = thread.config.extraction;
  if (!enableContextSummary) return false;
  if (thread.summaryStale && uptoSequence < thread.messageCount) return false;
  if (thread.summaryStale || contextSummaryUpdateFrequency === -1) return true;
  return uptoSequence - thread.summarizedSequence >= contextSummaryUpdateFrequency;
}

/** The messages of a dialogue, without the context cards that they quote and without those that are nothing else. */
function mine(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  return messages
    .filter(({ role }) => MINED_ROLES.has(role))
    .map((message) => ({ ...message, content: withoutContextCards(message.content) }))
    .filter(({ content }) => content !== '');
}

/**
 * Divides what a job read. The window is the newest messages up to the job's last, whatever their role; one that is
 * smaller than what is due leaves the oldest due messages out. A stale summary is made anew from everything at hand.
 */
export function divideMessages(input: ExtractionInput): DueMessages {
  const { thread, fromSequence, uptoSequence, windowMessages } = input;
  const read = input.recentMessages.filter(({ sequence }) => sequence <= uptoSequence);
  const isDue = ({ sequence }: StoredMessage) => sequence >= fromSequence;
  const shown = mine(windowMessages === -1 ? read.filter(isDue) : read.slice(-windowMessages));
  const due = shown.filter(isDue);
  if (due.length === 0) return { due, shown: [], toSummarize: [] };
  const summarized = thread.summaryStale ? 0 : thread.summarizedSequence;
  const toSummarize = isSummaryDue(input) ? mine(read.filter(({ sequence }) => sequence > summarized)) : [];
  return { due, shown, toSummarize };
}
