import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import type { SchemaNames } from './schema-names.ts';
import { readSchemaState, type SchemaState, type SchemaTarget } from './schema-state.ts';
import { UPGRADE, verifySchemaState } from './verify-schema-state.ts';

/** Schema version that the statements of this program are written for. */
export const REQUIRED_SCHEMA_VERSION = 3;

/** What a store must be for. */
export interface SchemaRequirement
  extends Pick<SchemaTarget, 'searchStrategy' | 'searchIndexSync' | 'embedderModel'> {
  /** Width of the vectors that will be written; undefined when nothing is known to be written. */
  readonly vectorDimensions: number | undefined;
}

/**
 * What a store says about itself, when it is complete, current and for what is required (schema policy
 * `require_existing`, contract §12). Runs no DDL and needs no scripts. One round trip.
 *
 * @throws AgentMemoryError `invalid_request` naming `schemaPolicy` for a store that is missing or older, `conflict` for
 * one that was made for other settings, each with its remedy
 */
export async function requireSchema(
  transport: SqlTransport,
  names: SchemaNames,
  requirement: SchemaRequirement,
  options: CallOptions = {},
): Promise<SchemaState> {
  const state = await readSchemaState(transport, names, options);
  if (state === undefined) {
    throw invalidRequest('schemaPolicy', `required managed objects are missing (${names.meta}): ${UPGRADE}`);
  }
  if (state.schemaVersion < REQUIRED_SCHEMA_VERSION) {
    const versions = `has schema version ${state.schemaVersion} and needs ${REQUIRED_SCHEMA_VERSION}`;
    throw invalidRequest('schemaPolicy', `the memory store ${versions}: ${UPGRADE}`);
  }
  verifySchemaState(state, {
    ...state,
    ...requirement,
    schemaVersion: REQUIRED_SCHEMA_VERSION,
    vectorDimensions: requirement.vectorDimensions ?? state.vectorDimensions,
  });
  return state;
}
