import { getContextCardContract, getSummaryContract } from '../../lib/schemas/operations/context.ts';
import { searchContract, searchThreadContract } from '../../lib/schemas/operations/search.ts';
import { renderContextCard } from '../../lib/schemas/values/render-context-card.ts';
import { defineExample } from './define-example.ts';
import { FOUND_MEMORY, STORED_MESSAGE, THREAD_ID, USER_ID } from './example-values.ts';

const parameters = { threadId: THREAD_ID };
const card = {
  summary: 'Ana says that she is allergic to peanuts.',
  topics: ['food', 'allergies'],
  relevantResults: [FOUND_MEMORY],
  recentMessages: [STORED_MESSAGE],
};
const cardText = renderContextCard(card);

export const RETRIEVAL_EXAMPLES = [
  defineExample(searchThreadContract, {
    parameters,
    body: {
      query: 'Which nuts are safe to cook with?',
      maxResults: 5,
      recordTypes: ['fact'],
      metadataFilter: { topic: 'food' },
      scope: { userId: USER_ID, agentId: null, exactUserMatch: true },
    },
    response: { results: [FOUND_MEMORY] },
  }),
  defineExample(searchContract, {
    body: {
      query: 'Which nuts are safe to cook with?',
      userId: USER_ID,
      exactUserMatch: true,
      agentId: null,
    },
    response: { results: [FOUND_MEMORY] },
  }),
  defineExample(getContextCardContract, {
    parameters,
    body: {
      fallbackMessageCount: 5,
      maxRelevantResults: 5,
      maxRecentMessages: 5,
      minRelevantResultsByType: { memory: 1, fact: 1, guideline: 1, preference: 1 },
    },
    response: { content: cardText, formattedContent: cardText, ...card },
  }),
  defineExample(getSummaryContract, {
    parameters,
    body: { exceptLast: 0, tokenBudget: 500 },
    response: { content: card.summary, formattedContent: card.summary },
  }),
];
