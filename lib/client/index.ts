export {
  AgentMemoryError,
  type AgentMemoryErrorOptions,
  ERROR_CODES,
  type ErrorCode,
  type ErrorIssue,
} from '../errors/agent-memory-error.ts';
export type { AgentMemoryApi, ThreadApi } from '../schemas/agent-memory-api.ts';
export type { AuditEntry, ListAuditOptions } from '../schemas/audit.ts';
export type { CloseOptions } from '../schemas/close-options.ts';
export type {
  ContextCardObject,
  ContextCardRequest,
  SummaryObject,
  SummaryRequest,
} from '../schemas/context-card.ts';
export type { Extraction, MemoryExtractionConfig, ResolvedExtractionConfig } from '../schemas/extraction.ts';
export type { FinishedExtraction, WaitForExtractionOptions } from '../schemas/extraction-wait.ts';
export type { Job, JobStatus, ListJobsOptions, ThreadExtraction } from '../schemas/job.ts';
export type { AddMemoryOptions, ListMemoriesOptions, UpdateMemoryRequest } from '../schemas/memory.ts';
export type { ListHistoryOptions, MemoryForm } from '../schemas/memory-history.ts';
export type {
  AddMessagesOptions,
  AddMessagesResponse,
  Message,
  MessageWindow,
  NewMessage,
  UpdateMessageRequest,
  UpdateMessageResponse,
} from '../schemas/message.ts';
export type { JsonObject, JsonValue } from '../schemas/metadata.ts';
export type { Page } from '../schemas/page.ts';
export type { PendingRecordBatch } from '../schemas/pending-record-batch.ts';
export type { DeleteActorOptions, ListProfilesOptions, UpdateProfileRequest } from '../schemas/profile.ts';
export type { MemoryRecord, MemoryType, RecordStatus, RecordType } from '../schemas/record.ts';
export type {
  DeleteRecordOptions,
  ListRecordsOptions,
  ListThreadMessagesOptions,
  SearchRecordsRequest,
  UpdateRecordRequest,
} from '../schemas/record-request.ts';
export type { RecordsApi } from '../schemas/records-api.ts';
export type { TtlAnchor, Warning } from '../schemas/retention.ts';
export type { Embedding, IndexText } from '../schemas/retrieval-payload.ts';
export type { ScopeObject, SearchOptions, SearchResult, SearchScopeObject } from '../schemas/search.ts';
export type {
  CreateThreadRequest,
  ListThreadsOptions,
  ThreadObject,
  UpdateThreadRequest,
} from '../schemas/thread.ts';
export type { ExportUserOptions, UserDataLine } from '../schemas/user-data.ts';
export { ContextCard, type ContextCardFields } from '../schemas/values/context-card.ts';
export { Scope, SearchScope } from '../schemas/values/scope.ts';
export { Summary } from '../schemas/values/summary.ts';
export { createAgentMemoryClient } from './agent-memory-client.ts';
export type { AgentMemoryClientOptions, Fetch } from './http-connection.ts';
