import { defineContract, noBody, noFields } from '../operation-contract.ts';
import {
  addAgentRequestSchema,
  addUserRequestSchema,
  agentParametersSchema,
  userParametersSchema,
} from '../profile.ts';
import { createdIdSchema, recordSchema } from '../record.ts';

export const addUserContract = defineContract({
  id: 'addUser',
  method: 'post',
  path: '/users',
  summary: 'Add the profile of a user',
  access: 'users:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: addUserRequestSchema,
  status: 201,
  response: createdIdSchema,
  errors: ['conflict', 'model_failed'],
});

export const getUserContract = defineContract({
  id: 'getUser',
  method: 'get',
  path: '/users/{userId}',
  summary: 'Read the profile of a user',
  access: 'users:read',
  readOnly: true,
  parameters: userParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: recordSchema,
  errors: ['not_found'],
});

export const addAgentContract = defineContract({
  id: 'addAgent',
  method: 'post',
  path: '/agents',
  summary: 'Add the profile of an agent',
  access: 'users:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: addAgentRequestSchema,
  status: 201,
  response: createdIdSchema,
  errors: ['conflict', 'model_failed'],
});

export const getAgentContract = defineContract({
  id: 'getAgent',
  method: 'get',
  path: '/agents/{agentId}',
  summary: 'Read the profile of an agent',
  access: 'users:read',
  readOnly: true,
  parameters: agentParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: recordSchema,
  errors: ['not_found'],
});
