import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import { type Migration, type MigrationValues, renderBlock } from './render-migration.ts';
import type { SchemaNames } from './schema-names.ts';
import { scriptOf } from './schema-plan.ts';
import { readSchemaState } from './schema-state.ts';

export interface TextLexerOptions extends CallOptions, MigrationValues {
  readonly transport: SqlTransport;
  readonly migrations: readonly Migration[];
  readonly warn?: (message: string) => void;
}

/** Upkeep of a text index by hand: take in what was written since, or make it compact again. */
export type TextIndexUpkeep = 'sync' | 'optimize';

const CALLS: Readonly<Record<TextIndexUpkeep, (index: string) => string>> = {
  sync: (index) => `CTX_DDL.SYNC_INDEX('${index}')`,
  optimize: (index) => `CTX_DDL.OPTIMIZE_INDEX('${index}', 'FULL')`,
};

/**
 * Creates the preference that names the lexer of the text index.
 *
 * @returns False, after a warning, when the database user may not use CTX_DDL: the index then has the default lexer
 */
export async function createTextLexer(options: TextLexerOptions): Promise<boolean> {
  const script = scriptOf(options.migrations, 'text_lexer');
  if (script === undefined) return false;
  try {
    await options.transport.executeDdl(renderBlock(script, options), { signal: options.signal });
    return true;
  } catch (error) {
    if (isPreferenceThere(error)) return true;
    if (!lacksTextPackage(error)) throw error;
    options.warn?.(
      'the database user may not use CTX_DDL, so the text index is built with the default lexer: grant the role CTXAPP before the index is built for WORLD_LEXER',
    );
    return false;
  }
}

/**
 * Syncs or optimizes the text index. Either commits, and may take long.
 *
 * @throws AgentMemoryError `invalid_request` for a store without one; `unsupported` without the privilege
 */
export async function maintainTextIndex(
  transport: SqlTransport,
  names: SchemaNames,
  upkeep: TextIndexUpkeep,
  options: CallOptions = {},
): Promise<void> {
  const state = await readSchemaState(transport, names, options);
  if (state === undefined) throw new AgentMemoryError('not_found', 'the memory store is not installed');
  if (state.searchStrategy === 'vector') {
    throw invalidRequest('searchStrategy', 'the memory store searches by vector and has no text index');
  }
  try {
    await transport.executeDdl(`BEGIN\n  ${CALLS[upkeep](names.textIndex)};\nEND;`, options);
  } catch (cause) {
    if (!lacksTextPackage(cause)) throw cause;
    throw new AgentMemoryError(
      'unsupported',
      'the database user may not use CTX_DDL: grant the role CTXAPP, or EXECUTE on CTXSYS.CTX_DDL',
      { cause },
    );
  }
}

/** DRG-10701: the preference exists. Oracle Text reports its errors as ORA-20000. */
function isPreferenceThere(error: unknown): boolean {
  return oracleErrorOf(error)?.message.includes('DRG-10701') ?? false;
}

function lacksTextPackage(error: unknown): boolean {
  const cause = oracleErrorOf(error);
  return cause?.number === 6550 && /PLS-00201: identifier '(?:CTXSYS\.)?CTX_DDL/.test(cause.message);
}
