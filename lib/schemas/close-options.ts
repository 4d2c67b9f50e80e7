import * as z from 'zod';

/** How long closing a client may wait for background work that its process has accepted (contract §3.2), in seconds. */
export const closeOptionsSchema = z.strictObject({
  timeoutSeconds: z.number().min(0).max(86_400).optional(),
});
/** How a client is closed; `timeoutSeconds` bounds the wait for background work. */
export type CloseOptions = z.infer<typeof closeOptionsSchema>;
