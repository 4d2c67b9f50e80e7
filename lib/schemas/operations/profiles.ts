import { defineContract, noBody, noFields } from '../operation-contract.ts';
import {
  addAgentRequestSchema,
  addUserRequestSchema,
  agentParametersSchema,
  deleteActorQuerySchema,
  listAgentsQuerySchema,
  listUsersQuerySchema,
  updateProfileRequestSchema,
  userParametersSchema,
} from '../profile.ts';
import {
  createdIdSchema,
  deletedSchema,
  recordPageSchema,
  recordSchema,
  updatedIdSchema,
} from '../record.ts';

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

export const listUsersContract = defineContract({
  id: 'listUsers',
  method: 'get',
  path: '/users',
  summary: 'List the profiles of users, oldest first',
  access: 'users:read',
  readOnly: true,
  parameters: noFields,
  query: listUsersQuerySchema,
  body: noBody,
  status: 200,
  response: recordPageSchema,
  errors: [],
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

export const updateUserContract = defineContract({
  id: 'updateUser',
  method: 'patch',
  path: '/users/{userId}',
  summary: 'Change the profile of a user',
  access: 'users:write',
  readOnly: false,
  parameters: userParametersSchema,
  query: noFields,
  body: updateProfileRequestSchema,
  status: 200,
  response: updatedIdSchema,
  errors: ['not_found', 'model_failed'],
});

/**
 * Without `cascade` the profile alone goes. With it go, all or nothing, the user's threads with every record in them
 * (also those that name another user), the messages and memories of this user elsewhere, the profile, and the retrieval
 * rows and extraction jobs of all these (contract §3.3). `deleted` counts threads, messages, memories and profile,
 * expired ones that were not purged yet included. With `dryRun` nothing is deleted and `deleted` is what would be.
 */
export const deleteUserContract = defineContract({
  id: 'deleteUser',
  method: 'delete',
  path: '/users/{userId}',
  summary: 'Delete the profile of a user, with cascade everything that is theirs',
  access: 'users:write',
  readOnly: false,
  parameters: userParametersSchema,
  query: deleteActorQuerySchema,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
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

export const listAgentsContract = defineContract({
  id: 'listAgents',
  method: 'get',
  path: '/agents',
  summary: 'List the profiles of agents, oldest first',
  access: 'users:read',
  readOnly: true,
  parameters: noFields,
  query: listAgentsQuerySchema,
  body: noBody,
  status: 200,
  response: recordPageSchema,
  errors: [],
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

export const updateAgentContract = defineContract({
  id: 'updateAgent',
  method: 'patch',
  path: '/agents/{agentId}',
  summary: 'Change the profile of an agent',
  access: 'users:write',
  readOnly: false,
  parameters: agentParametersSchema,
  query: noFields,
  body: updateProfileRequestSchema,
  status: 200,
  response: updatedIdSchema,
  errors: ['not_found', 'model_failed'],
});

/** As `deleteUser`, for the threads and records of the agent: those of a user with the same id stay. */
export const deleteAgentContract = defineContract({
  id: 'deleteAgent',
  method: 'delete',
  path: '/agents/{agentId}',
  summary: 'Delete the profile of an agent, with cascade everything that is theirs',
  access: 'users:write',
  readOnly: false,
  parameters: agentParametersSchema,
  query: deleteActorQuerySchema,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
});
