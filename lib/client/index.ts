export { createAgentMemoryClient } from './agent-memory-client.ts';
export type { AgentMemoryClientOptions, Fetch } from './http-connection.ts';
