import { type App, createApp } from '../../functions/app.ts';
import type { LogFields } from '../../functions/http/logger.ts';
import { mountMcp } from '../../functions/mcp/mount-mcp.ts';
import { type Authenticate, allowAnyone } from '../../functions/middleware/authentication.ts';
import { createTokenBuckets, type UseRate } from '../../functions/middleware/rate-limit.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import type { Services } from '../../functions/services.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

export interface BareApp {
  readonly app: App;
  /** Everything but the lines that tell of requests. */
  readonly logged: readonly (LogFields & { readonly level: string; readonly event: string })[];
}

/** An app without a database: a request that gets as far as needing one fails with `failure`. */
export function createBareApp(
  options: {
    readonly authenticate?: Authenticate;
    readonly useRate?: UseRate;
    readonly diagnostics?: boolean;
    readonly loopbackOnly?: boolean;
    readonly requestBudgetSeconds?: number;
    readonly openContext?: Services['openContext'];
    readonly failure?: unknown;
  } = {},
): BareApp {
  const logged: (LogFields & { level: string; event: string })[] = [];
  const fail = (): Promise<never> =>
    Promise.reject(options.failure ?? new AgentMemoryError('unavailable', 'there is no database'));
  const services: Services = {
    openContext: options.openContext ?? fail,
    checkReadiness: fail,
    purgeExpired: fail,
    authenticate: options.authenticate ?? allowAnyone,
    useRate: options.useRate ?? createTokenBuckets(() => 0),
    logger: {
      log: (level, event, fields) => void (event === 'request' || logged.push({ level, event, ...fields })),
    },
    diagnostics: options.diagnostics ?? false,
    requestBudgetSeconds: options.requestBudgetSeconds,
    bodyLimitBytes: 1_048_576,
    corsOrigins: [],
    mcpTools: [],
    close: () => Promise.resolve(),
  };
  return {
    app: createApp({
      operations: ALL_OPERATIONS,
      services,
      loopbackOnly: options.loopbackOnly,
      mountMore: mountMcp,
    }),
    logged,
  };
}
