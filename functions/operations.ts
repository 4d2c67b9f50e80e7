import { addAgentOperation } from './agents/add.ts';
import { deleteAgentOperation } from './agents/delete.ts';
import { getAgentOperation } from './agents/get.ts';
import { listAgentsOperation } from './agents/list.ts';
import { updateAgentOperation } from './agents/update.ts';
import { listAuditOperation } from './audit/list.ts';
import { getContextCardOperation } from './context-card/get.ts';
import { getExtractionOperation } from './extraction/get.ts';
import { waitForExtractionOperation } from './extraction/wait.ts';
import { cancelJobOperation } from './jobs/cancel.ts';
import { getJobOperation } from './jobs/get.ts';
import { listJobsOperation } from './jobs/list.ts';
import { retryJobOperation } from './jobs/retry.ts';
import { addMemoryOperation } from './memories/add.ts';
import { addThreadMemoryOperation } from './memories/add-to-thread.ts';
import { deleteMemoryOperation } from './memories/delete.ts';
import { deleteThreadMemoryOperation } from './memories/delete-from-thread.ts';
import { getMemoryOperation } from './memories/get.ts';
import { getMemoryHistoryOperation } from './memories/get-history.ts';
import { listMemoriesOperation } from './memories/list.ts';
import { updateMemoryOperation } from './memories/update.ts';
import { updateThreadMemoryOperation } from './memories/update-in-thread.ts';
import { addMessagesOperation } from './messages/add.ts';
import { deleteMessageOperation } from './messages/delete.ts';
import { getMessagesOperation } from './messages/get.ts';
import { updateMessageOperation } from './messages/update.ts';
import type { Operation } from './operation.ts';
import { addRecordsOperation } from './records/add.ts';
import { addRecordBatchesOperation } from './records/add-batches.ts';
import { deleteRecordOperation } from './records/delete.ts';
import { getRecordOperation } from './records/get.ts';
import { importRecordsOperation } from './records/import.ts';
import { listRecordsOperation } from './records/list.ts';
import { searchRecordsOperation } from './records/search.ts';
import { updateRecordOperation } from './records/update.ts';
import { searchOperation } from './search/search.ts';
import { searchThreadOperation } from './search/search-thread.ts';
import { getSummaryOperation } from './summary/get.ts';
import { createThreadOperation } from './threads/create.ts';
import { deleteThreadOperation } from './threads/delete.ts';
import { getThreadOperation } from './threads/get.ts';
import { listThreadsOperation } from './threads/list.ts';
import { updateThreadOperation } from './threads/update.ts';
import { addUserOperation } from './users/add.ts';
import { deleteUserOperation } from './users/delete.ts';
import { exportUserOperation } from './users/export.ts';
import { getUserOperation } from './users/get.ts';
import { listUsersOperation } from './users/list.ts';
import { updateUserOperation } from './users/update.ts';

/** Every operation, for apps that serve all of them: the Worker and the local server. */
export const ALL_OPERATIONS: readonly Operation[] = [
  createThreadOperation,
  listThreadsOperation,
  getThreadOperation,
  updateThreadOperation,
  deleteThreadOperation,
  addMessagesOperation,
  getMessagesOperation,
  updateMessageOperation,
  deleteMessageOperation,
  addThreadMemoryOperation,
  updateThreadMemoryOperation,
  deleteThreadMemoryOperation,
  searchThreadOperation,
  getContextCardOperation,
  getSummaryOperation,
  getExtractionOperation,
  waitForExtractionOperation,
  addMemoryOperation,
  listMemoriesOperation,
  getMemoryOperation,
  updateMemoryOperation,
  deleteMemoryOperation,
  getMemoryHistoryOperation,
  searchOperation,
  addUserOperation,
  listUsersOperation,
  getUserOperation,
  updateUserOperation,
  deleteUserOperation,
  addAgentOperation,
  listAgentsOperation,
  getAgentOperation,
  updateAgentOperation,
  deleteAgentOperation,
  addRecordsOperation,
  addRecordBatchesOperation,
  listRecordsOperation,
  searchRecordsOperation,
  getRecordOperation,
  updateRecordOperation,
  deleteRecordOperation,
  listJobsOperation,
  getJobOperation,
  retryJobOperation,
  cancelJobOperation,
  exportUserOperation,
  importRecordsOperation,
  listAuditOperation,
];
