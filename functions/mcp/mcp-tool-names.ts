/** Names of the tools of the MCP endpoint: what `MCP_TOOLS` of the environment may list. */
export const MCP_TOOL_NAMES = [
  'search',
  'get_context_card',
  'create_thread',
  'add_messages',
  'wait_for_extraction',
  'add_memory',
  'list_memories',
  'update_memory',
  'delete_memory',
] as const;
export type McpToolName = (typeof MCP_TOOL_NAMES)[number];
