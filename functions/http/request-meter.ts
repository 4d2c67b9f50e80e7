import type { Embedder } from '../../lib/models/embedder.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** Counts what one request costs. */
export interface RequestMeter {
  databaseRequests: number;
  embeddingCalls: number;
  modelCalls: number;
}

export function createRequestMeter(): RequestMeter {
  return { databaseRequests: 0, embeddingCalls: 0, modelCalls: 0 };
}

/** The counts as a `Server-Timing` header (HTTP API contract, Conventions). */
export function serverTiming(meter: RequestMeter): string {
  return [
    `db;desc="${meter.databaseRequests}"`,
    `embed;desc="${meter.embeddingCalls}"`,
    `llm;desc="${meter.modelCalls}"`,
  ].join(', ');
}

/** A transport that counts its calls; each is one database request. */
export function withMeteredTransport(transport: SqlTransport, meter: RequestMeter): SqlTransport {
  return withCounting(transport, {
    onCall: () => {
      meter.databaseRequests += 1;
    },
  });
}

/** An embedder that counts its calls. */
export function withMeteredEmbedder(embedder: Embedder, meter: RequestMeter): Embedder {
  return {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    limits: embedder.limits,
    embed(call) {
      meter.embeddingCalls += 1;
      return embedder.embed(call);
    },
  };
}

/** A language model that counts its calls. */
export function withMeteredLlm(llm: Llm, meter: RequestMeter): Llm {
  return {
    modelId: llm.modelId,
    generate(call) {
      meter.modelCalls += 1;
      return llm.generate(call);
    },
  };
}
