import type { MemoryContext } from '../lib/memory/memory-context.ts';
import type { CallerLimits } from '../lib/schemas/caller-limits.ts';
import type { CallOptions } from '../lib/sql/sql-transport.ts';
import type { WriteAuthor } from '../lib/store/audit/write-author.ts';
import type { PurgeOutcome } from '../lib/store/records/purge.ts';
import type { Logger } from './http/logger.ts';
import type { RequestMeter } from './http/request-meter.ts';
import type { McpToolName } from './mcp/mcp-tool-names.ts';
import type { Authenticate } from './middleware/authentication.ts';
import type { UseRate } from './middleware/rate-limit.ts';

/** What `/health/ready` tells with authentication off. */
export interface ReadinessDetails {
  readonly transport: string;
  readonly strategy: string;
  readonly schemaVersion: number;
}

/** What a purge removed. */
export interface ServicePurge extends PurgeOutcome {
  /** Entries of the audit trail that were kept long enough. */
  readonly audit: number;
}

/** What the HTTP edge needs of the rest, built once by a composition root. */
export interface Services {
  /**
   * The context of one request, after the schema was found usable (checked once; a failure is forgotten and checked
   * again). Database requests, embedding calls and model calls of the request are counted in `meter`. What a caller is
   * limited to holds for every statement; workers and callers that may see everything have no limits. The author is kept
   * with what is written.
   *
   * @throws AgentMemoryError `unavailable`
   */
  openContext(
    meter: RequestMeter,
    signal: AbortSignal,
    limits: CallerLimits,
    author?: WriteAuthor,
  ): Promise<MemoryContext>;
  /** Asks the database now. @throws AgentMemoryError `unavailable` when it or the schema is not usable */
  checkReadiness(meter: RequestMeter, signal: AbortSignal): Promise<ReadinessDetails>;
  /** Removes what has expired and old audit entries, as much as one run may. @throws AgentMemoryError `unavailable` */
  purgeExpired(options?: CallOptions): Promise<ServicePurge>;
  readonly authenticate: Authenticate;
  /** Counts a request of a caller that has a rate. Never asks the database. */
  readonly useRate: UseRate;
  readonly logger: Logger;
  /** Whether answers may tell about the inside: only with authentication off. */
  readonly diagnostics: boolean;
  /** Seconds that one request may take; undefined = no limit. */
  readonly requestBudgetSeconds: number | undefined;
  /** Aborts when the process is about to end and requests have to: what they began goes on elsewhere. Absent: never. */
  readonly ending?: AbortSignal | undefined;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  /** Tools that the MCP endpoint offers. */
  readonly mcpTools: readonly McpToolName[];
  /** Frees what the services hold; they take no request afterwards. */
  close(): Promise<void>;
}
