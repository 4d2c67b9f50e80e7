import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Extraction } from '../../schemas/extraction.ts';
import type { MemoryTally, NewestMemories } from '../../store/extraction/extraction-outcome.ts';
import type { MemoryContext } from '../memory-context.ts';
import { rememberRetrievalRows } from '../retrieval-rows.ts';
import { keepNewMemories } from './distinct-memories.ts';
import type { Findings } from './extraction-pass.ts';
import type { HeldJob } from './held-job.ts';
import { createMemoryRecords } from './new-memories.ts';
import { COMPARED_MEMORIES } from './past-memories.ts';
import type { LlmUsage } from './structured-model.ts';
import { writeOutcome } from './write-outcome.ts';

/**
 * How often findings are compared anew, because another pass of the same user and agent was written first: each time one
 * of the passes is done, so that as many can run at once.
 */
const COMPARISONS = 50;

/**
 * Compares what a pass found with what is known and writes what is new, so that no statement is stored twice. When another
 * pass of the same user and agent has added memories meanwhile, nothing is written: the newest are read, and it is
 * compared again. No language model is asked again and no text is embedded twice. One round trip; two more for each pass
 * that came in between. Errors: what models and store throw.
 *
 * @param comparedWith The tally of memories when the pass read them
 */
export async function storeFindings(
  context: MemoryContext,
  job: HeldJob,
  findings: Findings,
  usage: LlmUsage,
  comparedWith: MemoryTally,
): Promise<Extraction | 'lost'> {
  const { extracted, knownMemories, origin, summary, reason } = findings;
  const createRows = rememberRetrievalRows(context);
  let newest: NewestMemories = { memories: [], memoryTally: comparedWith };
  for (let comparison = 1; comparison <= COMPARISONS; comparison += 1) {
    if (comparison > 1) {
      const read = await context.store.readNewestMemories(job.jobId, job.leaseToken, COMPARED_MEMORIES);
      if (read === undefined) return 'lost';
      newest = read;
    }
    const added = await keepNewMemories(createRows, extracted, [...knownMemories, ...newest.memories]);
    const write = await writeOutcome(context, {
      ...job,
      ...usage,
      status: 'succeeded',
      reason,
      summary,
      memories: await createMemoryRecords(added, { ...origin, jobId: job.jobId }),
      comparedWith: newest.memoryTally,
      supersededIds: [...new Set(added.flatMap(({ memory }) => memory.supersedes))],
    });
    if (write !== 'other_memories') return write;
  }
  throw new AgentMemoryError(
    'unavailable',
    'Other extractions of the same user and agent kept adding memories.',
  );
}
