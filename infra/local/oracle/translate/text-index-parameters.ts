import type { IndexSync } from '../engine/catalog.ts';
import { OracleError } from '../sql/oracle-error.ts';

/** A piece of the PARAMETERS text that means something here, or changes nothing here. */
const PIECE =
  /\s*(?:SYNC\s*\(\s*(?<sync>ON\s+COMMIT|MANUAL)\s*\)|MAINTENANCE\s+(?<maintenance>AUTO|MANUAL)\b|LEXER\s+[\w$#.]+|STOPLIST\s+CTXSYS\.EMPTY_STOPLIST\b)\s*/iy;

/**
 * When a text or JSON search index takes in what was written (Oracle Text Reference, CREATE INDEX). Without a word about it,
 * Oracle maintains the index in the background; SYNC (ON COMMIT) and that exclude each other. ORA-03001 for everything that
 * the emulator would have to do something about, such as other stop lists.
 */
export function readIndexSync(parameters: string, offset: number): IndexSync {
  let sync: string | undefined;
  let maintenance: string | undefined;
  let position = 0;
  while (position < parameters.length) {
    PIECE.lastIndex = position;
    const groups = PIECE.exec(parameters)?.groups;
    if (groups === undefined) {
      throw unsupported(`'${parameters.slice(position).trim()}' in the PARAMETERS of an index`, offset);
    }
    sync = groups.sync?.toUpperCase() ?? sync;
    maintenance = groups.maintenance?.toUpperCase() ?? maintenance;
    position = PIECE.lastIndex;
  }
  if (sync?.startsWith('ON') === true) {
    if (maintenance === 'AUTO') {
      throw unsupported('MAINTENANCE AUTO with SYNC (ON COMMIT)', offset);
    }
    return 'on_commit';
  }
  return maintenance === 'MANUAL' ? 'manual' : 'auto';
}

function unsupported(what: string, offset: number): OracleError {
  return new OracleError(3001, `unimplemented feature: ${what} is not supported by the emulator`, { offset });
}
