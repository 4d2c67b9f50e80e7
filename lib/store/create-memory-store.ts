import { countActor, deleteActor } from './actor-delete.ts';
import { appendMessages } from './append-messages.ts';
import { findDueJobs, markWoken } from './due-jobs.ts';
import { editMessage } from './edit-message.ts';
import { readExtractionInput } from './extraction-input.ts';
import { readExtractionProgress } from './extraction-progress.ts';
import { finishExtraction } from './finish-extraction.ts';
import { cancelJob, claimJob } from './job-changes.ts';
import { claimDueJob, endLostJobs, renewLease } from './job-lease.ts';
import { findNextJobs } from './job-order.ts';
import { getJob, listJobs } from './jobs.ts';
import type { MemoryStore } from './memory-store.ts';
import { getMessages } from './message-window.ts';
import { readNewestMemories } from './newest-memories.ts';
import { pruneJobs, pruneRequests } from './prune-jobs.ts';
import { saveRebuiltSummary } from './rebuilt-summary.ts';
import { addRecords } from './record-batch.ts';
import { listRecords } from './record-list.ts';
import { updateRecord } from './record-update.ts';
import { addRecord, deleteRecord, getRecord } from './records.ts';
import { releaseJob } from './release-job.ts';
import { admitJob, requeueJob } from './requeue-job.ts';
import { search } from './search.ts';
import type { StoreContext } from './store-context.ts';
import { readThreadContext } from './thread-context.ts';
import { readThreadExtraction } from './thread-extraction.ts';
import { listThreads } from './thread-list.ts';
import { createThread, deleteThread, getThread, updateThread } from './threads.ts';

/** The store of one set of tables. It holds no state: everything is in the database. */
export function createMemoryStore(context: StoreContext): MemoryStore {
  return Object.freeze({
    retention: context.settings.retention,
    dimensions: context.settings.dimensions,
    embeddingModel: context.names.embeddingModel,
    createThread: (thread, options) => createThread(context, thread, options),
    getThread: (threadId, options) => getThread(context, threadId, options),
    listThreads: (list, options) => listThreads(context, list, options),
    updateThread: (threadId, change, options) => updateThread(context, threadId, change, options),
    deleteThread: (threadId, options) => deleteThread(context, threadId, options),
    appendMessages: (append, options) => appendMessages(context, append, options),
    editMessage: (edit, options) => editMessage(context, edit, options),
    getMessages: (threadId, window, options) => getMessages(context, threadId, window, options),
    addRecord: (record, fromThread, options) => addRecord(context, record, fromThread, options),
    addRecords: (records, options) => addRecords(context, records, options),
    getRecord: (family, id, options) => getRecord(context, family, id, options),
    updateRecord: (family, id, change, options) => updateRecord(context, family, id, change, options),
    deleteRecord: (family, id, options) => deleteRecord(context, family, id, options),
    listRecords: (list, options) => listRecords(context, list, options),
    deleteActor: (family, id, options) => deleteActor(context, family, id, options),
    countActor: (family, id, options) => countActor(context, family, id, options),
    search: (request, options) => search(context, request, options),
    readThreadContext: (threadId, recentMessages, options) =>
      readThreadContext(context, threadId, recentMessages, options),
    saveRebuiltSummary: (summary, options) => saveRebuiltSummary(context, summary, options),
    getJob: (jobId, options) => getJob(context, jobId, options),
    listJobs: (list, options) => listJobs(context, list, options),
    readThreadExtraction: (threadId, options) => readThreadExtraction(context, threadId, options),
    readExtractionProgress: (threadId, upto, options) =>
      readExtractionProgress(context, threadId, upto, options),
    cancelJob: (jobId, options) => cancelJob(context, jobId, options),
    claimJob: (claim, options) => claimJob(context, claim, options),
    claimDueJob: (claim, options) => claimDueJob(context, claim, options),
    renewLease: (claim, options) => renewLease(context, claim, options),
    releaseJob: (release, options) => releaseJob(context, release, options),
    admitJob: (jobId, queueCapacity, options) => admitJob(context, jobId, queueCapacity, options),
    requeueJob: (jobId, maxAttempts, options) => requeueJob(context, jobId, maxAttempts, options),
    endLostJobs: (options) => endLostJobs(context, options),
    findNextJobs: (jobId, userLimit, options) => findNextJobs(context, jobId, userLimit, options),
    findDueJobs: (due, options) => findDueJobs(context, due, options),
    markWoken: (jobIds, options) => markWoken(context, jobIds, options),
    pruneJobs: (olderThanDays, limit, options) => pruneJobs(context, olderThanDays, limit, options),
    pruneRequests: (olderThanHours, limit, options) => pruneRequests(context, olderThanHours, limit, options),
    readExtractionInput: (jobId, leaseToken, options) =>
      readExtractionInput(context, jobId, leaseToken, options),
    readNewestMemories: (jobId, leaseToken, limit, options) =>
      readNewestMemories(context, jobId, leaseToken, limit, options),
    finishExtraction: (outcome, options) => finishExtraction(context, outcome, options),
  } satisfies MemoryStore);
}
