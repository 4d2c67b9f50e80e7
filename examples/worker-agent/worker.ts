import { createAgentMemoryClient } from '../../lib/client/index.ts';
import { answerMessage, questionSchema } from '../answer-message.ts';

/** Variables and secrets of the Worker, and the binding to the memory service where both are of one account. */
interface Environment {
  readonly AGENT_MEMORY_URL: string;
  readonly AGENT_MEMORY_API_KEY?: string;
  readonly AGENT_MEMORY?: { fetch(url: string, init: RequestInit): Promise<Response> };
  readonly LLM_API_BASE: string;
  readonly LLM_API_KEY: string;
  readonly LLM_MODEL: string;
}

/** Answers `{"userId", "threadId", "message"}` with `{"answer"}`. */
async function answer(request: Request, environment: Environment): Promise<Response> {
  const question = questionSchema.safeParse(await request.json().catch(() => undefined));
  if (!question.success) {
    return Response.json({ error: 'expected userId, threadId and message' }, { status: 400 });
  }
  const { AGENT_MEMORY: service } = environment;
  const memory = createAgentMemoryClient({
    baseUrl: environment.AGENT_MEMORY_URL,
    apiKey: environment.AGENT_MEMORY_API_KEY,
    fetch: service === undefined ? undefined : (url, init) => service.fetch(url, init),
  });
  const model = {
    baseUrl: environment.LLM_API_BASE,
    apiKey: environment.LLM_API_KEY,
    model: environment.LLM_MODEL,
  };
  return Response.json({ answer: await answerMessage(memory, model, question.data) });
}

export default { fetch: answer };
