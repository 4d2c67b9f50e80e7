import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

const requestSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** A chat model on loopback that answers what it is told to, and remembers what it was asked. */
export interface ScriptedModel {
  /** `http://127.0.0.1:{port}/v1`. */
  readonly apiBase: string;
  /** The prompts that it got, as role and text. */
  readonly prompts: readonly (readonly string[])[];
  close(): Promise<void>;
}

/** @param answers One a request; the last one again when there are no more */
export async function startScriptedModel(answers: readonly string[]): Promise<ScriptedModel> {
  const prompts: string[][] = [];
  const server = createServer(async (request, response) => {
    const { messages } = requestSchema.parse(JSON.parse(await text(request)));
    const content = answers[Math.min(prompts.length, answers.length - 1)];
    prompts.push(messages.map((message) => `${message.role}: ${message.content}`));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    apiBase: `http://127.0.0.1:${address.port}/v1`,
    prompts,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
