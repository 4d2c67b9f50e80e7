import type { ExtractionInput, StoredMessage } from '../../store/memory-store.ts';

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

function isSummaryDue({ thread, uptoSequence }: ExtractionInput): boolean {
  const { enableContextSummary, contextSummaryUpdateFrequency } = thread.config.extraction;
  if (!enableContextSummary) return false;
  if (thread.summaryStale || contextSummaryUpdateFrequency === -1) return true;
  return uptoSequence - thread.summarizedSequence >= contextSummaryUpdateFrequency;
}

/** Divides what a job read; a stale summary is made anew from everything at hand. */
export function divideMessages(input: ExtractionInput): DueMessages {
  const { thread, fromSequence, uptoSequence } = input;
  const mined = input.recentMessages.filter(
    ({ role, sequence }) => MINED_ROLES.has(role) && sequence <= uptoSequence,
  );
  const due = mined.filter(({ sequence }) => sequence >= fromSequence);
  if (due.length === 0) return { due, shown: [], toSummarize: [] };
  const window = thread.config.extraction.memoryExtractionWindow;
  const firstShown = window === -1 ? fromSequence : Math.min(fromSequence, uptoSequence - window + 1);
  const summarized = thread.summaryStale ? 0 : thread.summarizedSequence;
  return {
    due,
    shown: mined.filter(({ sequence }) => sequence >= firstShown),
    toSummarize: isSummaryDue(input) ? mined.filter(({ sequence }) => sequence > summarized) : [],
  };
}
