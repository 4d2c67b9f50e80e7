import { describe, expect, it } from 'vitest';
import { createRequestMeter } from '../../functions/http/request-meter.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { createDeployedServices } from '../../functions/runtime/deployed-services.ts';
import { withoutTokenizer } from '../../functions/runtime/load-tokenizer.ts';
import { createServices, REQUIRED_SCHEMA_VERSION } from '../../functions/runtime/services.ts';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { newestVersion } from '../../lib/schema/render-migration.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

const DEPLOYED = {
  ORACLE_TRANSPORT: 'ords',
  ORDS_URL: 'http://127.0.0.1:9/ords/memory',
  ORDS_USERNAME: 'memory',
  ORDS_PASSWORD: 'secret',
  EMBEDDER: 'openai-compatible',
  EMBEDDING_MODEL: 'model',
  EMBEDDING_API_BASE: 'http://127.0.0.1:9/v1',
  AUTH_MODE: 'none',
};

describe('the services of a deployment', () => {
  const runtime = { loadTokenizer: withoutTokenizer, writeLine: () => undefined };

  it('are built without a database or a model at hand', () => {
    expect(createDeployedServices(DEPLOYED, runtime).diagnostics).toBe(true);
  });

  it.each([
    ['EMBEDDER', 'local'],
    ['ORACLE_TRANSPORT', 'emulator'],
  ])('refuse %s = %s, which only npm start has', (name, value) => {
    expect(() => createDeployedServices({ ...DEPLOYED, [name]: value }, runtime)).toThrow(
      new RegExp(`^${name}: ${value} belongs to npm start`),
    );
  });

  it('have no tokenizer where none was bundled, and say so', async () => {
    const tokenizer = await withoutTokenizer();
    expect(() => tokenizer.count('a')).toThrow(/without a tokenizer/);
  });
});

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
