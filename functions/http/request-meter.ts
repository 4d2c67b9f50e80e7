import { type Attributes, type Context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Embedder } from '../../lib/models/embedder.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import type { LogFields } from './logger.ts';
import { reportPastWork, traceWork } from './tracing.ts';

/** Counts what one request costs. */
export interface RequestMeter {
  databaseRequests: number;
  embeddingCalls: number;
  modelCalls: number;
  /** Tokens of model calls, as far as models report them. */
  promptTokens: number;
  completionTokens: number;
  /** The span under which the costs are reported. */
  readonly trace: Context;
}

export function createRequestMeter(trace: Context = ROOT_CONTEXT): RequestMeter {
  return {
    databaseRequests: 0,
    embeddingCalls: 0,
    modelCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
    trace,
  };
}

/** The counts for a log. */
export function requestCosts({ trace: _, ...counts }: RequestMeter): LogFields {
  return counts;
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
    onCall: ({ name, kind, milliseconds, outcome }) => {
      meter.databaseRequests += 1;
      const attributes: Attributes = { 'db.system.name': 'oracle.db', 'db.operation.name': kind };
      reportPastWork(meter.trace, name, milliseconds, attributes, outcome === 'ok' ? undefined : outcome);
    },
  });
}

/** An embedder that counts its calls. */
export function withMeteredEmbedder(embedder: Embedder, meter: RequestMeter): Embedder {
  const { modelId } = embedder;
  return {
    modelId,
    dimensions: embedder.dimensions,
    limits: embedder.limits,
    embed(call) {
      meter.embeddingCalls += 1;
      const attributes: Attributes = {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': modelId,
        'agent_memory.texts': call.texts.length,
      };
      return traceWork(meter.trace, `embeddings ${modelId}`, attributes, () => embedder.embed(call));
    },
  };
}

/** A language model that counts its calls and their tokens. */
export function withMeteredLlm(llm: Llm, meter: RequestMeter): Llm {
  const { modelId } = llm;
  return {
    modelId,
    generate(call) {
      meter.modelCalls += 1;
      const attributes: Attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': modelId,
        'agent_memory.purpose': call.purpose,
      };
      return traceWork(meter.trace, `chat ${modelId}`, attributes, async (span) => {
        const result = await llm.generate(call);
        meter.promptTokens += result.promptTokens ?? 0;
        meter.completionTokens += result.completionTokens ?? 0;
        if (result.promptTokens !== null) span.setAttribute('gen_ai.usage.input_tokens', result.promptTokens);
        if (result.completionTokens !== null)
          span.setAttribute('gen_ai.usage.output_tokens', result.completionTokens);
        return result;
      });
    },
  };
}
