/**
 * Every literal of the texts of this program that is no path and no format. A new one is written here, so that a value of a
 * caller that got into a text is seen: values are always bound.
 */
export const PRODUCT_LITERALS: ReadonlySet<string> = new Set([
  // What kind a record is, and whether it counts.
  ...['message', 'memory', 'guideline', 'user_profile', 'agent_profile', 'active', 'superseded'],
  // What an entry of the audit trail is about.
  ...['user', 'agent', 'job'],
  // Kinds and states of jobs, and why they ended.
  ...['extraction', 'message_edit', 'pending', 'running', 'succeeded', 'failed', 'dead', 'cancelled'],
  ...['extraction_queue_full', 'unsupported', 'worker_lost'],
  'As many extraction jobs are pending as this store takes.',
  'Extraction needs a language model and none is configured.',
  'The worker of 3 attempts ended without an outcome.',
  'The worker of the last attempt ended without an outcome.',
  // Values of settings that statements ask for.
  ...['inline', 'background', 'drop', 'false'],
  // What a bind of an installed search says about a dimension of its scope.
  ...['exact', 'boost', 'nobody', 'thread'],
  // Members of the state of a job.
  ...['status', 'attempt', 'maxAttempts', 'nextAttemptAt', 'reasonCode', 'reasonDetail', 'llmCalls'],
  ...['promptTokens', 'completionTokens', 'startedAt', 'finishedAt'],
  // What the schema says about itself, what it looks for, and the word whose embedding is measured.
  ...[
    'schema_version',
    'search_strategy',
    'search_index_sync',
    'retention',
    'TABLE',
    'INDEX',
    'JOB',
    'width',
  ],
  // Units and zone of times.
  ...['SECOND', 'HOUR', 'DAY', 'UTC'],
  // What an atomic list says when it is undone.
  'thread not found',
  'message not found',
  'record not found',
  'job not found',
  'the record has no timestamp',
  'the record does not have as many retrieval rows as vectors are given',
  'the lease of the job was lost',
  'the lease of the job was lost or its thread is gone',
  'only a pending or running job can be cancelled',
  'only a failed, dead or cancelled job can be retried',
  'memories of the same user and agent were added or removed meanwhile',
  'another message has the place of one of these in its thread',
  'a retrieval text or an earlier form names a record that is not there',
  'a request with this idempotency key was carried out',
  'the memory store is being changed by another process',
  'the memory store is not installed',
]);
