import * as z from 'zod';
import { type SummaryObject, summarySchema } from '../context-card.ts';
import { parseRequest } from '../validation-issues.ts';

const fieldsSchema = z.strictObject(summarySchema.shape).partial({ formattedContent: true });

/** A compression of a thread's messages: `content`, `formattedContent` and its form as a string are one (contract §9.3). */
export class Summary implements SummaryObject {
  readonly content: string;
  /** The same as `content`. */
  readonly formattedContent: string;

  /** @throws AgentMemoryError `invalid_request` naming the field */
  constructor(fields: Pick<SummaryObject, 'content'> & Partial<SummaryObject>) {
    const { content, formattedContent = content } = parseRequest(fieldsSchema, fields);
    this.content = content;
    this.formattedContent = formattedContent;
    Object.freeze(this);
  }

  toString(): string {
    return this.content;
  }
}
