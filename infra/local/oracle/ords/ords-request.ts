import * as z from 'zod';

const bind = z.object({
  name: z.string().min(1).optional(),
  index: z.int().positive().optional(),
  data_type: z.string().default('VARCHAR2'),
  mode: z.enum(['in', 'out', 'inout']).default('in'),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  batch: z.literal(false).optional(),
});

const responseFormat = z.object({
  resultSetMetaData: z.boolean().default(true),
  statementText: z.boolean().default(true),
  binds: z.boolean().default(true),
  statementInformation: z.boolean().default(true),
  result: z.boolean().default(true),
  response: z.boolean().default(true),
});

/** Most rows of one answer (`misc.pagination.maxRows`). */
export const MAXIMUM_ROWS = 10_000;

/** Body of `POST …/_/sql` (ORDS Developer's Guide, "REST-Enabled SQL Service"); batches are not emulated. */
export const ordsRequest = z.strictObject({
  statementText: z.string().min(1),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).default(MAXIMUM_ROWS),
  binds: z.array(bind).default([]),
  responseFormat: responseFormat.prefault({}),
});

export type OrdsRequest = z.infer<typeof ordsRequest>;
export type OrdsBind = z.infer<typeof bind>;
