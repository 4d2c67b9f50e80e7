import * as z from 'zod';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A model that is reached over the chat completions protocol of OpenAI. */
export interface ChatModel {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

const answerSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

/** The next message of a conversation. */
export async function completeChat(
  { baseUrl, apiKey, model }: ChatModel,
  messages: readonly ChatMessage[],
): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model, messages }),
  });
  if (!response.ok) throw new Error(`the model answers ${response.status}`);
  return answerSchema.parse(await response.json()).choices[0].message.content;
}
