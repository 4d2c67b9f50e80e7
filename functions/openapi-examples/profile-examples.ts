import {
  addAgentContract,
  addUserContract,
  deleteAgentContract,
  deleteUserContract,
  getAgentContract,
  getUserContract,
  listAgentsContract,
  listUsersContract,
  updateAgentContract,
  updateUserContract,
} from '../../lib/schemas/operations/profiles.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { defineExample } from './define-example.ts';
import { AGENT_ID, SAID_AT, USER_ID } from './example-values.ts';

const user = { information: 'Ana cooks for six.', metadata: { language: 'en' } };
const agent = { information: 'Plans meals.', metadata: { version: 2 } };
const unscoped = {
  timestamp: SAID_AT,
  createdAt: SAID_AT,
  updatedAt: SAID_AT,
  expiresAt: null,
  userId: null,
  agentId: null,
  threadId: null,
  status: 'active',
} as const;
const storedUser: MemoryRecord = {
  id: USER_ID,
  recordType: 'user_profile',
  content: user.information,
  metadata: user.metadata,
  ...unscoped,
};
const storedAgent: MemoryRecord = {
  id: AGENT_ID,
  recordType: 'agent_profile',
  content: agent.information,
  metadata: agent.metadata,
  ...unscoped,
};
const userParameters = { userId: USER_ID };
const agentParameters = { agentId: AGENT_ID };
const deletion = { query: { cascade: 'true', dryRun: 'true' }, response: { deleted: 4 } } as const;

export const PROFILE_EXAMPLES = [
  defineExample(addUserContract, { body: { userId: USER_ID, ...user }, response: { id: USER_ID } }),
  defineExample(listUsersContract, {
    query: { limit: '10' },
    response: { items: [storedUser], nextCursor: null },
  }),
  defineExample(getUserContract, { parameters: userParameters, response: storedUser }),
  defineExample(updateUserContract, { parameters: userParameters, body: user, response: { id: USER_ID } }),
  defineExample(deleteUserContract, { parameters: userParameters, ...deletion }),
  defineExample(addAgentContract, { body: { agentId: AGENT_ID, ...agent }, response: { id: AGENT_ID } }),
  defineExample(listAgentsContract, {
    query: { limit: '10' },
    response: { items: [storedAgent], nextCursor: null },
  }),
  defineExample(getAgentContract, { parameters: agentParameters, response: storedAgent }),
  defineExample(updateAgentContract, {
    parameters: agentParameters,
    body: agent,
    response: { id: AGENT_ID },
  }),
  defineExample(deleteAgentContract, { parameters: agentParameters, ...deletion }),
];
