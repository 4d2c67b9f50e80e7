import * as z from 'zod';
import { nullableIdentifierSchema } from './identifier.ts';
import { CONTENT_LIMIT } from './message.ts';
import { metadataSchema, nullableMetadataSchema } from './metadata.ts';
import { recordSchema, recordTypeSchema } from './record.ts';
import { meaningfulText } from './well-formed.ts';

const ownerFields = {
  userId: nullableIdentifierSchema.optional(),
  agentId: nullableIdentifierSchema.optional(),
  threadId: nullableIdentifierSchema.optional(),
};

/** Owner dimensions: each omitted, an id, or null = not tied to one (contract §5). */
export const scopeSchema = z.strictObject(ownerFields);
/** Owner dimensions as JSON has them; `Scope` is the value. */
export type ScopeObject = Readonly<z.infer<typeof scopeSchema>>;

const scopeFields = {
  ...ownerFields,
  exactUserMatch: z.boolean().optional(),
  exactAgentMatch: z.boolean().optional(),
  exactThreadMatch: z.boolean().optional(),
};

/**
 * Whose records a search may see: each dimension omitted, an id, or null, with a flag that makes it exact
 * (contract §5). What is omitted takes the layer's default.
 */
export const searchScopeSchema = z.strictObject(scopeFields).meta({ id: 'SearchScope' });
/** A search scope as JSON has it; `SearchScope` is the value. */
export type SearchScopeObject = Readonly<z.infer<typeof searchScopeSchema>>;

/** Options of a search; ids and flags stand here or in `scope`, not in both. */
export const searchOptionsSchema = z.strictObject({
  ...scopeFields,
  maxResults: z.int().min(1).max(1_000).optional(),
  recordTypes: z.array(recordTypeSchema).min(1).max(7).optional(),
  metadataFilter: nullableMetadataSchema.optional(),
  scope: searchScopeSchema.optional(),
});
/** Whose records, which types, which metadata, and how many (contract §6.1). */
export type SearchOptions = z.infer<typeof searchOptionsSchema>;

export const searchRequestSchema = searchOptionsSchema.extend({ query: meaningfulText(CONTENT_LIMIT) });
export type SearchRequest = z.infer<typeof searchRequestSchema>;

/** One found record; a smaller `distance` is nearer. `formattedContent` is the record as an XML element (D4). */
export const searchResultSchema = z
  .object({
    id: z.string(),
    recordType: recordTypeSchema,
    content: z.string(),
    formattedContent: z.string(),
    distance: z.number(),
    timestamp: z.string(),
    metadata: metadataSchema,
    record: recordSchema,
  })
  .meta({ id: 'SearchResult' });
/** One found record and its distance. */
export type SearchResult = z.infer<typeof searchResultSchema>;

export const searchResponseSchema = z.object({ results: z.array(searchResultSchema) });
export type SearchResponse = z.infer<typeof searchResponseSchema>;
