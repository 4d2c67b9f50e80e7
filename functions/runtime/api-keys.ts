import * as z from 'zod';
import { ACCESS_SCOPES } from '../../lib/schemas/operation-contract.ts';
import { parseTimestamp } from '../../lib/schemas/timestamp.ts';

/** Limits of the contract that are not enforced yet: a key that carries one must not work without it. */
const UNENFORCED = ['users', 'agents', 'threads', 'ratePerMinute'] as const;

const apiKeySchema = z
  .strictObject({
    id: z.string().min(1).max(128),
    sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'must be the SHA-256 of the key in hexadecimal'),
    scopes: z.array(z.enum([...ACCESS_SCOPES, '*'])).min(1),
    expiresAt: z
      .string()
      .refine((value) => parseTimestamp(value) !== undefined, 'must be an ISO-8601 time')
      .optional(),
    users: z.unknown().optional(),
    agents: z.unknown().optional(),
    threads: z.unknown().optional(),
    ratePerMinute: z.unknown().optional(),
  })
  .superRefine((entry, context) => {
    for (const limit of UNENFORCED.filter((name) => entry[name] !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: [limit],
        message: 'is not enforced yet: the key is refused rather than left unlimited',
      });
    }
  })
  .transform(({ id, sha256, scopes, expiresAt }) => ({
    id,
    sha256: sha256.toLowerCase(),
    scopes,
    expiresAt: expiresAt === undefined ? undefined : Date.parse(parseTimestamp(expiresAt) ?? expiresAt),
  }));

/** The value of `API_KEYS` (HTTP API contract, Callers): digests of keys, never keys. */
export const apiKeysSchema = z.array(apiKeySchema).min(1);
