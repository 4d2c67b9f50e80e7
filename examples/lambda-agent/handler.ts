import { createAgentMemoryClient } from '../../lib/client/index.ts';
import { answerMessage, questionSchema } from '../answer-message.ts';

const {
  AGENT_MEMORY_URL = 'http://127.0.0.1:8787',
  AGENT_MEMORY_API_KEY,
  LLM_API_BASE = 'https://api.openai.com/v1',
  LLM_API_KEY = '',
  LLM_MODEL = 'gpt-5.4-mini',
} = process.env;

/** Made once for all invocations of this instance. Each of its methods calls the function of one operation. */
const memory = createAgentMemoryClient({ baseUrl: AGENT_MEMORY_URL, apiKey: AGENT_MEMORY_API_KEY });
const model = { baseUrl: LLM_API_BASE, apiKey: LLM_API_KEY, model: LLM_MODEL };

/** What a function URL or a REST API of API Gateway delivers, as far as it matters here. */
interface HttpEvent {
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
}

interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers `{"userId", "threadId", "message"}` with `{"answer"}`. */
export async function handler({ body, isBase64Encoded = false }: HttpEvent): Promise<HttpResult> {
  const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
  const question = questionSchema.safeParse(parse(text));
  if (!question.success) return result(400, { error: 'expected userId, threadId and message' });
  return result(200, { answer: await answerMessage(memory, model, question.data) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function result(statusCode: number, body: object): HttpResult {
  return { statusCode, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
