import * as z from 'zod';

/** Days until a record expires: null = the store's maximum, or never without one (contract §11, D10). */
export const ttlDaysSchema = z.union([z.int().min(1).max(36_500), z.null()]);

/** What the days are counted from: the time of the write, or the record's own timestamp. */
export const ttlAnchorSchema = z.enum(['created_at', 'timestamp']);
/** What the days of an expiry are counted from. */
export type TtlAnchor = z.infer<typeof ttlAnchorSchema>;

/** Something that was done differently from what was asked, a clamped time to live for one. */
export const warningSchema = z.object({ code: z.string(), message: z.string() }).meta({ id: 'Warning' });
/** Something that was done differently from what was asked. */
export type Warning = z.infer<typeof warningSchema>;
