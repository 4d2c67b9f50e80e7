import { describe, expect, it } from 'vitest';
import { createRequestMeter } from '../../functions/http/request-meter.ts';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import { EMULATED_MODEL } from '../../functions/runtime/emulated-model.ts';
import { createServices } from '../../functions/runtime/services.ts';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { openLocalService } from '../../infra/local/open-local-service.ts';
import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createOracleDatabaseEmbedder } from '../../lib/models/oracle-database-embedder.ts';
import { costsOf, emulatorTransport, jsonRequest } from '../api/api-fixture.ts';

const IN_DATABASE = {
  EMBEDDER: 'oracle-database',
  EMBEDDING_MODEL: EMULATED_MODEL.toLowerCase(),
  SEARCH_STRATEGY: 'hybrid',
};
const DATABASE = {
  ORACLE_TRANSPORT: 'ords',
  ORDS_URL: 'http://127.0.0.1:9/ords/m',
  ORDS_USERNAME: 'm',
  ORDS_PASSWORD: 'm',
};
const logger = { log: () => undefined };

describe('EMBEDDER=oracle-database', () => {
  it('is read with the model, its limits and no endpoint', () => {
    const variables = { ...IN_DATABASE, EMBEDDING_DIMENSION: '256', EMBEDDING_MAX_INPUT_TOKENS: '250' };
    const { embedder, names } = readConfiguration(variables, 'local');
    expect(embedder).toEqual({
      kind: 'oracle-database',
      model: 'local_word_table',
      dimensions: 256,
      maxInputTokens: 250,
    });
    expect(names.embeddingModel).toBe('LOCAL_WORD_TABLE');
    expect(readConfiguration({ ...variables, EMBEDDER: 'local' }, 'local').names.embeddingModel).toBe(
      undefined,
    );
  });

  it('needs no model name with the emulator, which has one', () => {
    const { names } = readConfiguration({ EMBEDDER: 'oracle-database' }, 'local');
    expect(names.embeddingModel).toBe(EMULATED_MODEL);
  });

  it.each([
    [{ EMBEDDING_MODEL: '', ...DATABASE }, 'EMBEDDING_MODEL'],
    [{ EMBEDDING_MODEL: "m USING 'x' AS DATA" }, 'embeddingModel'],
    [{ EMBEDDING_MAX_INPUT_TOKENS: '0' }, 'EMBEDDING_MAX_INPUT_TOKENS'],
  ])('refuses %o by name', (changes, name) => {
    expect(() => readConfiguration({ ...IN_DATABASE, ...changes }, 'local')).toThrow(name);
  });

  it('runs on this machine: no embedding call, one round trip for a write and one for a search', async () => {
    const service = await openLocalService(readConfiguration(IN_DATABASE, 'local'), logger);
    try {
      const send = (path: string, body: unknown) => service.app.request(path, jsonRequest('POST', body));
      await send('/v1/memories', { content: 'Ana drinks tea.', memoryId: 'tea', userId: 'ana' });
      const written = await send('/v1/memories', { content: 'Ana moved to Lisbon.', userId: 'ana' });
      expect([written.status, costsOf(written)]).toEqual([201, { db: 1, embed: 0, llm: 0 }]);
      const found = await send('/v1/search', { query: 'What does she drink, coffee?', userId: 'ana' });
      expect(costsOf(found)).toEqual({ db: 1, embed: 0, llm: 0 });
      expect((await found.json()).results[0]).toMatchObject({ id: 'tea' });
    } finally {
      await service.close();
    }
  });

  it.each([
    [{ EMBEDDING_MODEL: 'ALL_MINILM_L12_V2' }, /EMBEDDING_MODEL.*ALL_MINILM_L12_V2.*LOAD_ONNX_MODEL/],
    [{ EMBEDDING_DIMENSION: '384' }, /EMBEDDING_DIMENSION.*384.*256/],
  ])('does not start with %o, and says what to do', async (changes, reason) => {
    const configuration = readConfiguration({ ...IN_DATABASE, ...changes }, 'local');
    await expect(openLocalService(configuration, logger)).rejects.toThrow(reason);
  });

  it('a deployed process asks the database for the model, and takes no request without it', async () => {
    const emulator = await startEmulator();
    const transport = emulatorTransport(emulator);
    try {
      const output: string[] = [];
      const variables = { ...IN_DATABASE, EMBEDDING_DIMENSION: '' };
      const write = (text: string) => void output.push(text);
      expect(await runSchemaCommand(['apply'], { variables, write, transport })).toBe(0);
      expect(JSON.parse(output.at(-1) ?? '')).toMatchObject({
        vectorDimensions: 256,
        embedderModel: 'LOCAL_WORD_TABLE',
        searchStrategy: 'hybrid',
      });
      const ready = (changes: Readonly<Record<string, string | undefined>>) => {
        const configuration = readConfiguration({ ...IN_DATABASE, ...changes }, 'local');
        const model = configuration.embedder.kind === 'oracle-database' ? configuration.embedder : undefined;
        const embedder = model && createOracleDatabaseEmbedder(model);
        const parts = { configuration, transport, embedder, llm: undefined, loadTokenizer, logger };
        return createServices(parts).checkReadiness(createRequestMeter(), AbortSignal.timeout(60_000));
      };
      expect(await ready({})).toMatchObject({ strategy: 'hybrid' });
      for (const changes of [{ EMBEDDING_MODEL: 'OTHER' }, { EMBEDDING_DIMENSION: '384' }]) {
        await expect(ready(changes)).rejects.toMatchObject({ code: 'unavailable' });
      }
    } finally {
      await emulator.close();
    }
  });
});
