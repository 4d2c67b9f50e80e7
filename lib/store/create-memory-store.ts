import { listAudit } from './audit/audit-list.ts';
import { readExtractionInput } from './extraction/extraction-input.ts';
import { finishExtraction } from './extraction/finish-extraction.ts';
import { readNewestMemories } from './extraction/newest-memories.ts';
import { saveRebuiltSummary } from './extraction/rebuilt-summary.ts';
import { readThreadContext } from './extraction/thread-context.ts';
import { listHistory } from './history/memory-history.ts';
import { findDueJobs, markWoken } from './jobs/due-jobs.ts';
import { readExtractionProgress } from './jobs/extraction-progress.ts';
import { cancelJob, claimJob } from './jobs/job-changes.ts';
import { claimDueJob, endLostJobs, renewLease } from './jobs/job-lease.ts';
import { findNextJobs } from './jobs/job-order.ts';
import { getJob, listJobs } from './jobs/jobs.ts';
import { pruneJobs, pruneRequests } from './jobs/prune-jobs.ts';
import { releaseJob } from './jobs/release-job.ts';
import { admitJob, requeueJob } from './jobs/requeue-job.ts';
import { readThreadExtraction } from './jobs/thread-extraction.ts';
import type { MemoryStore } from './memory-store.ts';
import { appendMessages } from './messages/append-messages.ts';
import { editMessage } from './messages/edit-message.ts';
import { getMessages } from './messages/message-window.ts';
import { countActor, deleteActor } from './records/actor-delete.ts';
import { addRecords } from './records/record-batch.ts';
import { listRecords } from './records/record-list.ts';
import { updateRecord } from './records/record-update.ts';
import { addRecord, deleteRecord, getRecord } from './records/records.ts';
import { search } from './search/search.ts';
import type { StoreContext } from './store-context.ts';
import { listThreads } from './threads/thread-list.ts';
import { createThread, deleteThread, getThread, updateThread } from './threads/threads.ts';
import { exportUser } from './user-data/export-user.ts';
import { importUserData } from './user-data/import-user-data.ts';

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
    listHistory: (list, options) => listHistory(context, list, options),
    exportUser: (request, options) => exportUser(context, request, options),
    importUserData: (batch, options) => importUserData(context, batch, options),
    listAudit: (list, options) => listAudit(context, list, options),
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
    readNewestMemories: (jobId, leaseToken, limits, options) =>
      readNewestMemories(context, jobId, leaseToken, limits, options),
    finishExtraction: (outcome, options) => finishExtraction(context, outcome, options),
  } satisfies MemoryStore);
}
