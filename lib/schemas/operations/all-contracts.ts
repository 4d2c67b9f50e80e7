import type { OperationContract } from '../operation-contract.ts';
import { getContextCardContract, getSummaryContract } from './context.ts';
import { getExtractionContract, getJobContract, listJobsContract } from './jobs.ts';
import {
  addMemoryContract,
  addThreadMemoryContract,
  deleteMemoryContract,
  deleteThreadMemoryContract,
  getMemoryContract,
  listMemoriesContract,
  updateMemoryContract,
  updateThreadMemoryContract,
} from './memories.ts';
import {
  addMessagesContract,
  deleteMessageContract,
  getMessagesContract,
  updateMessageContract,
} from './messages.ts';
import {
  addAgentContract,
  addUserContract,
  deleteAgentContract,
  deleteUserContract,
  getAgentContract,
  getUserContract,
  listAgentsContract,
  listUsersContract,
  updateAgentContract,
  updateUserContract,
} from './profiles.ts';
import {
  addRecordBatchesContract,
  addRecordsContract,
  deleteRecordContract,
  getRecordContract,
  listRecordsContract,
  searchRecordsContract,
  updateRecordContract,
} from './records.ts';
import { searchContract, searchThreadContract } from './search.ts';
import {
  createThreadContract,
  deleteThreadContract,
  getThreadContract,
  listThreadsContract,
  updateThreadContract,
} from './threads.ts';

/** Every public operation, in the order of the OpenAPI document. */
export const ALL_CONTRACTS: readonly OperationContract[] = Object.freeze([
  createThreadContract,
  listThreadsContract,
  getThreadContract,
  updateThreadContract,
  deleteThreadContract,
  addMessagesContract,
  getMessagesContract,
  updateMessageContract,
  deleteMessageContract,
  addThreadMemoryContract,
  updateThreadMemoryContract,
  deleteThreadMemoryContract,
  searchThreadContract,
  getContextCardContract,
  getSummaryContract,
  getExtractionContract,
  addMemoryContract,
  listMemoriesContract,
  getMemoryContract,
  updateMemoryContract,
  deleteMemoryContract,
  searchContract,
  addUserContract,
  listUsersContract,
  getUserContract,
  updateUserContract,
  deleteUserContract,
  addAgentContract,
  listAgentsContract,
  getAgentContract,
  updateAgentContract,
  deleteAgentContract,
  addRecordsContract,
  addRecordBatchesContract,
  listRecordsContract,
  searchRecordsContract,
  getRecordContract,
  updateRecordContract,
  deleteRecordContract,
  listJobsContract,
  getJobContract,
]);
