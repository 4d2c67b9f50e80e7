import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { SchemaTarget } from './schema-state.ts';

/** The remedy for what nothing else can change. */
export const RECREATE =
  'use another memory store id, or delete and create it again with npm run schema -- recreate --confirm';

/** The remedy for what can be created or upgraded. */
export const UPGRADE = 'use the schema policy create_if_necessary, or run npm run schema -- apply';

/**
 * Checks that a store fits what is configured, without asking the database.
 *
 * @throws AgentMemoryError `conflict` naming both sides and the remedy
 */
export function verifySchemaState(state: SchemaTarget, target: SchemaTarget): void {
  verifyUnchangeable(state, target);
  const pending = pendingUpgrade(state, target);
  if (pending !== undefined) throw new AgentMemoryError('conflict', `${pending}: ${UPGRADE}`);
}

/**
 * Checks what no policy but `recreate` can change: a newer schema, another width or embedder, a strategy whose rows
 * lack vectors.
 *
 * @throws AgentMemoryError `conflict` naming both sides and the remedy
 */
export function verifyUnchangeable(state: SchemaTarget, target: SchemaTarget): void {
  const problem = newerSchema(state, target) ?? otherStrategy(state, target) ?? otherVectors(state, target);
  if (problem !== undefined) throw new AgentMemoryError('conflict', problem);
}

/** What `create_if_necessary` would change, if anything: an older schema, or a vector store without its text index. */
export function pendingUpgrade(state: SchemaTarget, target: SchemaTarget): string | undefined {
  if (state.schemaVersion < target.schemaVersion) {
    return `the memory store has schema version ${state.schemaVersion} and needs ${target.schemaVersion}`;
  }
  if (state.searchStrategy === 'vector' && target.searchStrategy !== 'vector') {
    return `the memory store has no text index for the search strategy ${target.searchStrategy}`;
  }
  return undefined;
}

function newerSchema(state: SchemaTarget, target: SchemaTarget): string | undefined {
  if (state.schemaVersion <= target.schemaVersion) return undefined;
  return `the memory store has schema version ${state.schemaVersion}, this program knows ${target.schemaVersion}: deploy a newer version`;
}

/** Keyword search uses the text index of a hybrid store; the other way the rows would lack vectors. */
function otherStrategy(state: SchemaTarget, target: SchemaTarget): string | undefined {
  if (state.searchStrategy === 'vector') return undefined;
  const needsVectors = target.searchStrategy !== 'keyword' && target.searchStrategy !== state.searchStrategy;
  if (needsVectors) {
    return `the memory store searches by ${state.searchStrategy} and its rows may lack vectors: set SEARCH_STRATEGY to ${state.searchStrategy}, or ${RECREATE}`;
  }
  if (state.searchIndexSync === target.searchIndexSync) return undefined;
  return `the text index of the memory store syncs ${state.searchIndexSync}, not ${target.searchIndexSync}: set SEARCH_INDEX_SYNC to ${state.searchIndexSync}, or ${RECREATE}`;
}

/**
 * A process that searches by keyword writes vectors too when it has an embedder. They must fit the column in any case, and
 * come from the store's embedder where others compare them: in a hybrid store, which stays one.
 */
function otherVectors(state: SchemaTarget, target: SchemaTarget): string | undefined {
  const isKeyword = target.searchStrategy === 'keyword';
  if (isKeyword && target.embedderModel === '') return undefined;
  if (state.vectorDimensions !== target.vectorDimensions) {
    return `the memory store has vectors of ${state.vectorDimensions} dimensions, the embedder makes ${target.vectorDimensions}: use an embedder of ${state.vectorDimensions} dimensions, or ${RECREATE}`;
  }
  if (isKeyword && state.searchStrategy !== 'hybrid') return undefined;
  const known = state.embedderModel !== '' && target.embedderModel !== '';
  if (!known || state.embedderModel === target.embedderModel) return undefined;
  return `the vectors of the memory store were made by ${state.embedderModel}, distances to those of ${target.embedderModel} mean nothing: use ${state.embedderModel}, or ${RECREATE}`;
}
