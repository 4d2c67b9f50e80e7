import type { OperationContract } from '../operation-contract.ts';
import { getContextCardContract, getSummaryContract } from './context.ts';
import {
  addMemoryContract,
  addThreadMemoryContract,
  deleteMemoryContract,
  getMemoryContract,
} from './memories.ts';
import { addMessagesContract, getMessagesContract } from './messages.ts';
import { addAgentContract, addUserContract, getAgentContract, getUserContract } from './profiles.ts';
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
  addThreadMemoryContract,
  searchThreadContract,
  getContextCardContract,
  getSummaryContract,
  addMemoryContract,
  getMemoryContract,
  deleteMemoryContract,
  searchContract,
  addUserContract,
  getUserContract,
  addAgentContract,
  getAgentContract,
]);
