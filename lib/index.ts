export * from './client/index.ts';
export { type Clock, systemClock } from './clock.ts';
export { AgentMemory } from './memory/agent-memory.ts';
export type { AgentMemoryOptions } from './memory/agent-memory-options.ts';
export { openAgentMemory } from './memory/open-agent-memory.ts';
export { Thread } from './memory/thread.ts';
export type { EmbedCall, Embedder, EmbedderLimits, EmbeddingPurpose } from './models/embedder.ts';
export type { GenerateCall, GenerateResult, Llm, LlmMessage, LlmPurpose } from './models/llm.ts';
export {
  createOracleDatabaseEmbedder,
  type MemoryEmbedder,
  type OracleDatabaseEmbedder,
  type OracleDatabaseEmbedderOptions,
} from './models/oracle-database-embedder.ts';
export { createRulesLlm } from './models/rules/rules-llm.ts';
export type { Tokenizer } from './models/tokenizer.ts';
export type { JobQueue, WakeUp } from './queue/job-queue.ts';
export type { Migration } from './schema/render-migration.ts';
export type { RetentionPolicy } from './schema/retention-policy.ts';
export { createSchemaNames, type SchemaNameOptions, type SchemaNames } from './schema/schema-names.ts';
export type { SchemaPolicy, SearchIndexSync, SearchStrategy } from './schema/schema-policy.ts';
export type { CallOptions, SqlTransport, TransportCapabilities } from './sql/sql-transport.ts';
export { createMemoryStore } from './store/create-memory-store.ts';
export type { MemoryStore } from './store/memory-store.ts';
export type { StoreContext, StoreSettings } from './store/store-context.ts';
