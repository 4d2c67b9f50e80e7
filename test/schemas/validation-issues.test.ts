import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { memoryExtractionConfigSchema } from '../../lib/schemas/extraction.ts';
import { addMemoryRequestSchema } from '../../lib/schemas/memory.ts';
import { addMessagesRequestSchema } from '../../lib/schemas/message.ts';
import { pendingRecordBatchSchema } from '../../lib/schemas/pending-record-batch.ts';
import { searchRequestSchema } from '../../lib/schemas/search.ts';
import { createThreadRequestSchema } from '../../lib/schemas/thread.ts';
import { parseRequest, toErrorIssues } from '../../lib/schemas/validation-issues.ts';

function issuesOf(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('The value was accepted.');
  return toErrorIssues(parsed.error);
}

describe('toErrorIssues', () => {
  const message = { role: 'user', content: 'hello' };

  it.each([
    [
      'an element',
      addMessagesRequestSchema,
      { messages: [message, { ...message, role: '' }] },
      'messages[1].role',
    ],
    ['an unknown key', createThreadRequestSchema, { title: 'x' }, 'title'],
    ['an unknown nested key', createThreadRequestSchema, { extraction: { mode: 1 } }, 'extraction.mode'],
    ['a key that is no identifier', createThreadRequestSchema, { 'a b': 1 }, '["a b"]'],
    ['a nullable id', searchRequestSchema, { query: 'q', userId: 'x'.repeat(129) }, 'userId'],
    ['a missing field', searchRequestSchema, {}, 'query'],
    ['the whole value', searchRequestSchema, 7, ''],
  ])('names %s', (_name, schema, value, path) => {
    expect(issuesOf(schema, value).map((issue) => issue.path)).toEqual([path]);
  });

  it('names every unknown key', () => {
    const paths = issuesOf(searchRequestSchema, { query: 'q', a: 1, b: 2 }).map((issue) => issue.path);
    expect(paths).toEqual(['a', 'b']);
  });

  it('explains the branch of a union that was meant', () => {
    const [issue] = issuesOf(searchRequestSchema, { query: 'q', userId: '' });
    expect(issue?.message).toBe('must have at least 1 character');
    const [list] = issuesOf(memoryExtractionConfigSchema, {
      memoryExtractionInheritMessageMetadata: ['a', ''],
    });
    expect(list?.path).toBe('memoryExtractionInheritMessageMetadata[1]');
  });

  it.each([
    ['a number or null', addMemoryRequestSchema, { content: 'x', ttlDays: 1.5 }, 'int or null'],
    ['a number or null', addMemoryRequestSchema, { content: 'x', ttlDays: '1' }, 'number or null'],
    [
      'a number, null or a list',
      pendingRecordBatchSchema,
      { recordType: 'memory', contents: ['x'], ttlDays: 1.5 },
      'int or null or array',
    ],
    [
      'a flag or a list',
      memoryExtractionConfigSchema,
      { memoryExtractionInheritMessageMetadata: 'key' },
      'boolean or array',
    ],
  ])('says what a union takes when the value is of none of its types: %s', (_, schema, value, expected) => {
    expect(issuesOf(schema, value).map((issue) => issue.message)).toEqual([
      `Invalid input: expected ${expected}`,
    ]);
  });

  it.each([0, -2])('says that a count of messages is -1 or positive, of %i', (memoryExtractionFrequency) => {
    const [issue] = issuesOf(memoryExtractionConfigSchema, { memoryExtractionFrequency });
    expect(issue?.message).toBe('must be -1 or at least 1');
  });

  it('says once that a text is empty', () => {
    expect(issuesOf(searchRequestSchema, { query: '' })).toEqual([
      { path: 'query', message: 'must hold at least one non-space character' },
    ]);
  });

  it.each(['\u3000', '\ufeff', '\u200b', '\u2060\n', '\u00ad', '\u3164', '\u2800', '\u034f \u180e'])(
    'takes %j for no text, and with a letter beside it for one',
    (blank) => {
      const request = (content: string) => ({ messages: [{ role: 'user', content }] });
      expect(issuesOf(addMessagesRequestSchema, request(blank))).toEqual([
        { path: 'messages[0].content', message: 'must hold at least one non-space character' },
      ]);
      expect(addMessagesRequestSchema.safeParse(request(`${blank}a`)).success).toBe(true);
    },
  );

  it('names at most 100 fields', () => {
    const messages = Array.from({ length: 200 }, () => ({ role: '', content: 'x' }));
    expect(issuesOf(addMessagesRequestSchema, { messages })).toHaveLength(100);
  });

  it('never repeats the value', () => {
    const issues = issuesOf(searchRequestSchema, { query: 'q', maxResults: 'secret-value', userId: 12_345 });
    expect(JSON.stringify(issues)).not.toMatch(/secret-value|12345/);
  });
});

describe('parseRequest', () => {
  it('throws invalid_request with the issues', () => {
    try {
      parseRequest(searchRequestSchema, { query: ' ', maxResults: 0 });
      expect.unreachable();
    } catch (error) {
      if (!AgentMemoryError.is(error)) throw error;
      expect(error.code).toBe('invalid_request');
      expect(error.issues.map((issue) => issue.path)).toEqual(['maxResults', 'query']);
      expect(error.message).toContain('query: must hold at least one non-space character');
    }
  });

  it('returns what the schema made of the value', () => {
    expect(parseRequest(z.strictObject({ a: z.coerce.number() }), { a: '1' })).toEqual({ a: 1 });
  });
});
