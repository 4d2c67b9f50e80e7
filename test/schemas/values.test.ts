import { describe, expect, it } from 'vitest';
import { ContextCard } from '../../lib/schemas/values/context-card.ts';
import { Scope, SearchScope } from '../../lib/schemas/values/scope.ts';
import { Summary } from '../../lib/schemas/values/summary.ts';
import { expectError } from '../conformance/memory-stage.ts';

const refusal = (make: () => unknown, path: string) =>
  expectError(Promise.resolve().then(make), 'invalid_request', path);

describe('a context card', () => {
  it('is empty when nothing is in it (contract §9.2)', () => {
    expect(new ContextCard().content).toBe('');
    expect(new ContextCard({ summary: '' }).formattedContent).toBe('');
  });

  it('renders what it is made of (contract §9.2)', () => {
    const card = new ContextCard({ summary: 'ctx', topics: ['a & b'] });
    expect(card.content).toMatch(/<topic>a &amp; b<\/topic>[\s\S]*<summary>\s+ctx\s+<\/summary>/);
    expect(`${card}`).toBe(card.formattedContent);
  });

  it('keeps a text that it is given with, and cannot be changed', () => {
    const card = new ContextCard({ summary: 'ctx', content: 'as the service made it' });
    expect(card.formattedContent).toBe('as the service made it');
    expect(() => Object.assign(card, { summary: 'another' })).toThrow(TypeError);
  });

  it('refuses what is no card', async () => {
    await refusal(() => new ContextCard(JSON.parse('{"summary": 1}')), 'summary');
    await refusal(() => new ContextCard(JSON.parse('{"sumary": "a"}')), 'sumary');
    await refusal(
      () => new ContextCard(JSON.parse('{"recentMessages": [{"id": 1}]}')),
      'recentMessages[0].id',
    );
  });
});

describe('a summary', () => {
  it('is its content (contract §9.3)', () => {
    const summary = new Summary({ content: 'user: hello' });
    expect(`${summary}`).toBe('user: hello');
    expect(summary.formattedContent).toBe('user: hello');
  });

  it('refuses what is none', () => refusal(() => new Summary(JSON.parse('{}')), 'content'));
});

describe('a scope', () => {
  it('tells left out from null (contract §5)', () => {
    expect(Object.entries(new Scope({ userId: null }))).toEqual([['userId', null]]);
    expect(JSON.stringify(new SearchScope({ agentId: 'pia', exactAgentMatch: false }))).toBe(
      '{"agentId":"pia","exactAgentMatch":false}',
    );
  });

  it('refuses an id that is none, a flag that is none, and what a scope has not', async () => {
    await refusal(() => new Scope({ userId: '' }), 'userId');
    await refusal(() => new SearchScope({ threadId: '..' }), 'threadId');
    await refusal(() => new SearchScope(JSON.parse('{"exactUserMatch": "yes"}')), 'exactUserMatch');
    await refusal(() => new Scope(JSON.parse('{"exactUserMatch": true}')), 'exactUserMatch');
  });
});
