import { describe, expect, it } from 'vitest';
import { createRequestMeter } from '../../functions/http/request-meter.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { createServices, REQUIRED_SCHEMA_VERSION } from '../../functions/runtime/services.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { newestVersion } from '../../lib/schema/render-migration.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

describe('the services of a process', () => {
  it('need the schema version that the scripts lead to', () => {
    expect(REQUIRED_SCHEMA_VERSION).toBe(newestVersion(readMigrations()));
  });

  it('connect to nothing before the first request, and try again after a failure', async () => {
    let calls = 0;
    const fail = (): Promise<never> => {
      calls += 1;
      return Promise.reject(new AgentMemoryError('unavailable', 'there is no database'));
    };
    const transport: SqlTransport = {
      capabilities: { maxRows: 1 },
      query: fail,
      executeAtomic: fail,
      executeDdl: fail,
      close: () => Promise.resolve(),
    };
    const services = createServices({
      configuration: readConfiguration({}, 'local'),
      transport,
      embedder: undefined,
      llm: undefined,
      loadTokenizer: fail,
      logger: { log: () => undefined },
    });
    expect(calls).toBe(0);
    const open = () => services.openContext(createRequestMeter(), new AbortController().signal);
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open()).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(2);
  });
});
