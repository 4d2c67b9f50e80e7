import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import * as z from 'zod';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { createHashEmbedder } from '../../lib/testing/hash-embedder.ts';

/** A model provider on this computer that speaks OpenAI's protocol: hashed embeddings and the rule-based model. */
export interface ModelServer {
  /** `http://127.0.0.1:{port}/v1`. */
  readonly apiBase: string;
  readonly dimensions: number;
  close(): Promise<void>;
}

const DIMENSIONS = 64;
const embeddingRequest = z.object({ input: z.array(z.string()) });
const chatRequest = z.object({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
  response_format: z.object({
    json_schema: z.object({
      name: z.enum(['memory_extraction', 'context_summary', 'context_card', 'message_shortening']),
    }),
  }),
});

function createModelApp(): Hono {
  const embedder = createHashEmbedder({ dimensions: DIMENSIONS });
  const llm = createRulesLlm();
  return new Hono()
    .post('/v1/embeddings', async (c) => {
      const { input } = embeddingRequest.parse(await c.req.json());
      const vectors = await embedder.embed({ texts: input, purpose: 'document' });
      const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] }));
      return c.json({ object: 'list', model: 'hash', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    })
    .post('/v1/chat/completions', async (c) => {
      const { messages, response_format } = chatRequest.parse(await c.req.json());
      const purpose = response_format.json_schema.name;
      const { text } = await llm.generate({ purpose, messages, responseJsonSchema: {} });
      const message = { role: 'assistant', content: text };
      return c.json({ id: '1', model: 'rules', choices: [{ index: 0, message, finish_reason: 'stop' }] });
    });
}

/** Starts the server on a free port of 127.0.0.1. */
export function startModelServer(): Promise<ModelServer> {
  return new Promise((resolve) => {
    const server = serve({ fetch: createModelApp().fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      resolve({
        apiBase: `http://127.0.0.1:${port}/v1`,
        dimensions: DIMENSIONS,
        close: () => new Promise((done) => void server.close(() => done())),
      });
    });
  });
}
