import { getContextCardOperation } from '../context-card/get.ts';
import { waitForExtractionOperation } from '../extraction/wait.ts';
import { addMemoryOperation } from '../memories/add.ts';
import { deleteMemoryOperation } from '../memories/delete.ts';
import { listMemoriesOperation } from '../memories/list.ts';
import { updateMemoryOperation } from '../memories/update.ts';
import { addMessagesOperation } from '../messages/add.ts';
import type { Operation } from '../operation.ts';
import { searchOperation } from '../search/search.ts';
import { createThreadOperation } from '../threads/create.ts';
import type { McpToolName } from './mcp-tool-names.ts';

/** A tool is an operation with a text that tells a model when to use it. */
export interface McpTool {
  readonly name: McpToolName;
  readonly operation: Operation;
  readonly description: string;
  /** The tool removes or replaces what is stored. */
  readonly destructive: boolean;
}

/** Every tool of the MCP endpoint, in the order in which clients see them. */
export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: 'search',
    operation: searchOperation,
    description:
      'Find memories and messages by meaning. Give userId to look at one user (null: what belongs to no user). ' +
      'Results come nearest first.',
    destructive: false,
  },
  {
    name: 'get_context_card',
    operation: getContextCardOperation,
    description:
      'Get what is worth knowing before answering in a thread: summary, topics, relevant memories, recent messages.',
    destructive: false,
  },
  {
    name: 'create_thread',
    operation: createThreadOperation,
    description:
      'Start a conversation. Its messages and the memories extracted from them belong to its user and agent.',
    destructive: false,
  },
  {
    name: 'add_messages',
    operation: addMessagesOperation,
    description:
      'Store messages of a thread. Memories are extracted from them, at once or in the background.',
    destructive: false,
  },
  {
    name: 'wait_for_extraction',
    operation: waitForExtractionOperation,
    description:
      'Wait until memories have been extracted from the messages stored so far. When the status is pending, call ' +
      'again with the watermark of the answer.',
    destructive: false,
  },
  {
    name: 'add_memory',
    operation: addMemoryOperation,
    description: 'Store one memory: a fact, a preference, a guideline, or anything worth keeping.',
    destructive: false,
  },
  {
    name: 'list_memories',
    operation: listMemoriesOperation,
    description: 'List stored memories in the order in which they were stored, page by page.',
    destructive: false,
  },
  {
    name: 'update_memory',
    operation: updateMemoryOperation,
    description: 'Change the content, metadata or expiry of a memory.',
    destructive: true,
  },
  {
    name: 'delete_memory',
    operation: deleteMemoryOperation,
    description: 'Delete a memory for good.',
    destructive: true,
  },
];
