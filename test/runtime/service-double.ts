import type { LogFields, LogLevel } from '../../functions/http/logger.ts';
import type { Services } from '../../functions/services.ts';

/** Services that refuse what a test did not replace, and the events that were logged with them. */
export function createServiceDouble(replaced: Partial<Services> = {}) {
  const logged: (LogFields & { readonly level: LogLevel; readonly event: string })[] = [];
  const refuse = () => Promise.reject(new Error('not asked for here'));
  const services: Services = {
    openContext: refuse,
    checkReadiness: refuse,
    purgeExpired: refuse,
    authenticate: refuse,
    useRate: refuse,
    logger: { log: (level, event, fields) => void logged.push({ level, event, ...fields }) },
    diagnostics: false,
    requestBudgetSeconds: undefined,
    bodyLimitBytes: 1,
    corsOrigins: [],
    mcpTools: [],
    close: () => Promise.resolve(),
    ...replaced,
  };
  return { services, logged };
}
