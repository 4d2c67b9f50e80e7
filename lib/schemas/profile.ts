import * as z from 'zod';
import { booleanParameter } from './boolean-parameter.ts';
import { cursorSchema, type PagedList } from './cursor.ts';
import { identifierSchema } from './identifier.ts';
import { contentSchema } from './message.ts';
import { metadataSchema, nullableMetadataSchema } from './metadata.ts';
import { pageLimitParameter, pageLimitSchema } from './page.ts';

export const userParametersSchema = z.strictObject({ userId: identifierSchema });
export const agentParametersSchema = z.strictObject({ agentId: identifierSchema });

const profileFields = { information: contentSchema, metadata: metadataSchema.nullable().optional() };

/** Free text about a user; its record id is the user id (contract §3.2). */
export const addUserRequestSchema = z.strictObject({ userId: identifierSchema, ...profileFields });
export type AddUserRequest = z.infer<typeof addUserRequestSchema>;

/** Free text about an agent; its record id is the agent id. */
export const addAgentRequestSchema = z.strictObject({ agentId: identifierSchema, ...profileFields });
export type AddAgentRequest = z.infer<typeof addAgentRequestSchema>;

/** Changes of a profile; an absent field keeps what is stored, `metadata` is replaced whole and `null` clears it. */
export const updateProfileRequestSchema = z.strictObject({
  information: contentSchema.optional(),
  metadata: nullableMetadataSchema.optional(),
});
/** What of a profile changes; a field that is left out stays. */
export type UpdateProfileRequest = z.infer<typeof updateProfileRequestSchema>;

/** What a delete of a user or an agent takes along; `dryRun` only counts it. */
export const deleteActorOptionsSchema = z.strictObject({
  cascade: z.boolean().optional(),
  dryRun: z.boolean().optional(),
});
/** Whether everything of a user or agent goes too, and whether it is only counted. */
export type DeleteActorOptions = z.infer<typeof deleteActorOptionsSchema>;
/** The same as query parameters. */
export const deleteActorQuerySchema = z.strictObject({
  cascade: booleanParameter.optional(),
  dryRun: booleanParameter.optional(),
});

function listRequestSchema(list: PagedList) {
  return z.strictObject({ limit: pageLimitSchema.optional(), cursor: cursorSchema(list).optional() });
}

export const listUsersRequestSchema = listRequestSchema('users');
export const listAgentsRequestSchema = listRequestSchema('agents');
export type ListProfilesRequest = z.infer<typeof listUsersRequestSchema>;
/** What a caller passes: the cursor is the text of the page before. */
export type ListProfilesOptions = z.input<typeof listUsersRequestSchema>;
/** The same as query parameters. */
export const listUsersQuerySchema = listUsersRequestSchema.extend({ limit: pageLimitParameter.optional() });
export const listAgentsQuerySchema = listAgentsRequestSchema.extend({ limit: pageLimitParameter.optional() });
