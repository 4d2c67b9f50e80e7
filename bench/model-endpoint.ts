import { createServer } from 'node:http';

/** A language model on this machine that speaks OpenAI's protocol and finds nothing worth remembering. */
export interface ModelEndpoint {
  /** Settings of a service that asks this model. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const COMPLETION = JSON.stringify({
  id: '1',
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', content: '{"memories":[]}' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Starts a model that answers each call after some time, however many there are at once. */
export async function startModelEndpoint(answerMilliseconds: number): Promise<ModelEndpoint> {
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(COMPLETION);
    }, answerMilliseconds);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model has no port');
  return {
    settings: {
      LLM: 'openai-compatible',
      LLM_MODEL: 'bench',
      LLM_API_BASE: `http://127.0.0.1:${address.port}/v1`,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
