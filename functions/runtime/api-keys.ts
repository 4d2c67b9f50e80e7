import * as z from 'zod';
import { ACCESS_SCOPES } from '../../lib/schemas/operation-contract.ts';
import { parseTimestamp } from '../../lib/schemas/timestamp.ts';
import { allowedIdsSchema, callerIdSchema, ratePerMinuteSchema } from '../middleware/credential-limits.ts';

const apiKeySchema = z
  .strictObject({
    id: callerIdSchema.max(128),
    sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'must be the SHA-256 of the key in hexadecimal'),
    scopes: z.array(z.enum([...ACCESS_SCOPES, '*'])).min(1),
    users: allowedIdsSchema,
    agents: allowedIdsSchema,
    threads: allowedIdsSchema,
    expiresAt: z
      .string()
      .refine((value) => parseTimestamp(value) !== undefined, 'must be an ISO-8601 time')
      .optional(),
    ratePerMinute: ratePerMinuteSchema,
  })
  .transform(({ sha256, expiresAt, ...entry }) => ({
    ...entry,
    sha256: sha256.toLowerCase(),
    expiresAt: expiresAt === undefined ? undefined : Date.parse(parseTimestamp(expiresAt) ?? expiresAt),
  }));

/**
 * The value of `API_KEYS` (HTTP API contract, Callers): digests of keys, never keys. Several entries may have one id, so that a
 * key can be replaced while the old one still works; a key stands for one entry.
 */
export const apiKeysSchema = z
  .array(apiKeySchema)
  .min(1)
  .superRefine((keys, context) => {
    for (const [index, { sha256 }] of keys.entries()) {
      if (keys.findIndex((key) => key.sha256 === sha256) === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'sha256'],
        message: 'stands in an earlier entry too',
      });
    }
  });
