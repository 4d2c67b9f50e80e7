import { MEMORY_TYPES } from '../../schemas/record.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const textList = { type: 'array', items: text };

function closedObject(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Answer of `memory_extraction` (HTTP API contract, Model contract). */
export const MEMORY_EXTRACTION_SCHEMA: JsonSchema = closedObject({
  memories: {
    type: 'array',
    items: closedObject({
      type: { type: 'string', enum: MEMORY_TYPES },
      content: text,
      importance: { type: 'integer', minimum: 1, maximum: 5 },
      entities: textList,
      topic: text,
      sourceMessageIds: textList,
      supersedes: textList,
    }),
  },
});

/** Answer of `context_summary`. */
export const CONTEXT_SUMMARY_SCHEMA: JsonSchema = closedObject({ summary: text });

/** Answer of `context_card`. */
export const CONTEXT_CARD_SCHEMA: JsonSchema = closedObject({ summary: text, topics: textList });

/** Answer of `message_shortening`. */
export const MESSAGE_SHORTENING_SCHEMA: JsonSchema = closedObject({ content: text });
