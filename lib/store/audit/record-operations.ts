import type { RecordFamily } from '../records/stored-record.ts';

type OperationOfFamily = Readonly<Record<RecordFamily, string>>;

/** The operations that adding, changing and deleting a record stand for where the author names none. */
export const ADD_OPERATIONS: OperationOfFamily = {
  message: 'addMessages',
  memory: 'addMemory',
  user_profile: 'addUser',
  agent_profile: 'addAgent',
};

export const UPDATE_OPERATIONS: OperationOfFamily = {
  message: 'updateMessage',
  memory: 'updateMemory',
  user_profile: 'updateUser',
  agent_profile: 'updateAgent',
};

export const DELETE_OPERATIONS: OperationOfFamily = {
  message: 'deleteMessage',
  memory: 'deleteMemory',
  user_profile: 'deleteUser',
  agent_profile: 'deleteAgent',
};
