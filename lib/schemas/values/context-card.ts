import * as z from 'zod';
import { type ContextCardObject, contextCardSchema } from '../context-card.ts';
import { parseRequest } from '../validation-issues.ts';
import { renderContextCard } from './render-context-card.ts';

const fieldsSchema = z.strictObject(contextCardSchema.shape).partial();

/** What a card can be made of; what is left out is empty, and `content` is the XML text of the rest. */
export type ContextCardFields = Partial<ContextCardObject>;

/**
 * A prompt-ready block about a thread (contract §9). As a string it is its `content`. The text comes from users and
 * models: quote it as data.
 *
 * @example
 * const card = await thread.getContextCard();
 * const system = `What is known:\n${card}`;
 */
export class ContextCard implements ContextCardObject {
  /** XML text; '' for an empty card. */
  readonly content: string;
  /** The same as `content`. */
  readonly formattedContent: string;
  readonly summary: string;
  readonly topics: ContextCardObject['topics'];
  /** Records by relevance, the nearest first. */
  readonly relevantResults: ContextCardObject['relevantResults'];
  /** Oldest first. */
  readonly recentMessages: ContextCardObject['recentMessages'];

  /** @throws AgentMemoryError `invalid_request` naming the field */
  constructor(fields: ContextCardFields = {}) {
    const given = parseRequest(fieldsSchema, fields);
    const { summary = '', topics = [], relevantResults = [], recentMessages = [] } = given;
    const { content = renderContextCard({ summary, topics, relevantResults, recentMessages }) } = given;
    this.content = content;
    this.formattedContent = given.formattedContent ?? content;
    this.summary = summary;
    this.topics = topics;
    this.relevantResults = relevantResults;
    this.recentMessages = recentMessages;
    Object.freeze(this);
  }

  toString(): string {
    return this.content;
  }
}
