import * as z from 'zod';
import { identifierSchema } from './identifier.ts';
import { contentSchema } from './message.ts';
import { metadataSchema } from './metadata.ts';

export const userParametersSchema = z.strictObject({ userId: identifierSchema });
export const agentParametersSchema = z.strictObject({ agentId: identifierSchema });

const profileFields = { information: contentSchema, metadata: metadataSchema.nullable().optional() };

/** Free text about a user; its record id is the user id (contract §3.2). */
export const addUserRequestSchema = z.strictObject({ userId: identifierSchema, ...profileFields });
export type AddUserRequest = z.infer<typeof addUserRequestSchema>;

/** Free text about an agent; its record id is the agent id. */
export const addAgentRequestSchema = z.strictObject({ agentId: identifierSchema, ...profileFields });
export type AddAgentRequest = z.infer<typeof addAgentRequestSchema>;
