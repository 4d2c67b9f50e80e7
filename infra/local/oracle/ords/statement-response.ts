import { createsFunction } from '../engine/function/parse-create-function.ts';
import type { EngineResult, OracleEngine, OracleSession } from '../engine/oracle-engine.ts';
import { OracleError } from '../sql/oracle-error.ts';
import { tokenize } from '../sql/tokenizer.ts';
import { bindName, engineBinds, numberPlaceholders } from './bind-conversion.ts';
import { commitSession } from './commit-session.ts';
import { OrdsHttpError, refuseWhenClosed } from './ords-http-error.ts';
import { MAXIMUM_ROWS, type OrdsRequest } from './ords-request.ts';
import { encodeMetadata, encodeResult, encodeRows } from './result-encoding.ts';

const WRAPPER_START = 'SELECT * FROM (';

type Item = Readonly<Record<string, unknown>>;

/** A statement as it is sent to the engine. */
interface PreparedText {
  readonly kind: 'query' | 'block' | 'other';
  readonly text: string;
}

/**
 * Runs the statement of a request in a session of its own, commits when it succeeded, and gives the body of ORDS's
 * answer. A failed statement is reported inside the item; the HTTP status is 200 then too.
 */
export async function answerStatement(engine: OracleEngine, request: OrdsRequest): Promise<Item> {
  const started = { statementId: 1, statementPos: positions(request.statementText) };
  const session = engine.openSession();
  let item: Item;
  try {
    item = await runStatement(session, request);
    await commitSession(session);
  } catch (error) {
    item = errorItem(error, request.statementText);
  } finally {
    await session.close();
  }
  const text = request.responseFormat.statementText ? { statementText: request.statementText } : {};
  const information = request.responseFormat.statementInformation ? started : {};
  return { env: { defaultTimeZone: 'UTC' }, items: [{ ...information, ...text, ...item }] };
}

async function runStatement(session: OracleSession, request: OrdsRequest): Promise<Item> {
  const prepared = prepareText(request.statementText);
  const binds = engineBinds(request.binds, prepared.kind === 'block');
  if (prepared.kind !== 'query') {
    return resultItem(await session.execute(prepared.text, binds), request);
  }
  const limit = Math.min(request.limit, MAXIMUM_ROWS);
  const page = `OFFSET ${request.offset} ROWS FETCH NEXT ${limit + 1} ROWS ONLY`;
  const result = await session.execute(`${WRAPPER_START}${prepared.text}\n) ${page}`, binds);
  return resultItem(result, request);
}

/** One statement; SQLcl's terminators are dropped. */
function prepareText(statementText: string): PreparedText {
  const text = numberPlaceholders(statementText).replace(/\n\s*\/\s*$/, '');
  const tokens = tokenize(text);
  const [first] = tokens;
  const word = first?.kind === 'word' ? first.value : '';
  if (word === 'BEGIN' || word === 'DECLARE') {
    return { kind: 'block', text };
  }
  if (createsFunction(text)) {
    return { kind: 'other', text };
  }
  const semicolon = tokens.find((token) => token.kind === 'operator' && token.value === ';');
  if (semicolon !== undefined && tokens.indexOf(semicolon) !== tokens.length - 2) {
    throw new OrdsHttpError(400, 'the emulator runs one statement per request, not a script');
  }
  const single = semicolon === undefined ? text : text.slice(0, semicolon.offset);
  const isQuery = word === 'SELECT' || word === 'WITH' || first?.value === '(';
  return { kind: isQuery ? 'query' : 'other', text: single };
}

function resultItem(result: EngineResult, request: OrdsRequest): Item {
  const format = request.responseFormat;
  return {
    statementType:
      result.kind === 'commit' || result.kind === 'rollback' ? 'transaction-control' : result.kind,
    ...(format.response ? { response: responseLines(result) } : {}),
    ...(format.result ? { result: result.rowsAffected } : {}),
    ...(result.kind === 'query' ? { resultSet: resultSet(result, request) } : {}),
    ...(format.binds && request.binds.length > 0 ? { binds: bindResults(result, request) } : {}),
  };
}

function resultSet(result: EngineResult, request: OrdsRequest): Item {
  const limit = Math.min(request.limit, MAXIMUM_ROWS);
  const rows = result.rows.slice(0, limit);
  const metadata = request.responseFormat.resultSetMetaData
    ? { metadata: result.columns.map(encodeMetadata) }
    : {};
  return {
    ...metadata,
    items: encodeRows(result.columns, rows),
    hasMore: result.rows.length > limit,
    limit,
    offset: request.offset,
    count: rows.length,
  };
}

function bindResults(result: EngineResult, request: OrdsRequest): readonly Item[] {
  const types = new Map(engineBinds(request.binds, true).map((bind) => [bind.name, bind.type]));
  return request.binds.map((bind) => {
    const type = types.get(bindName(bind));
    const value = result.outBinds[bindName(bind)];
    if (bind.mode === 'in' || type === undefined || value === undefined) {
      return bind;
    }
    const encode = (single: Parameters<typeof encodeResult>[0]) => encodeResult(single, type);
    return { ...bind, result: isList(value) ? value.map(encode) : encode(value) };
  });
}

function isList(
  value: EngineResult['outBinds'][string],
): value is Exclude<typeof value, string | number | boolean | Uint8Array | null> {
  return Array.isArray(value);
}

function responseLines(result: EngineResult): readonly string[] {
  switch (result.kind) {
    case 'query':
      return [];
    case 'plsql':
      return ['\nPL/SQL procedure successfully completed.\n\n'];
    case 'dml': {
      const rows = result.rowsAffected === 1 ? 'row' : 'rows';
      return [`\n${result.rowsAffected} ${rows} ${PARTICIPLES[result.verb] ?? 'affected'}.\n\n`];
    }
    default:
      return [`\n${result.verb} succeeded.\n\n`];
  }
}

const PARTICIPLES: Readonly<Record<string, string>> = {
  INSERT: 'inserted',
  UPDATE: 'updated',
  DELETE: 'deleted',
  MERGE: 'merged',
};

function errorItem(error: unknown, statementText: string): Item {
  if (!(error instanceof OracleError)) {
    throw error;
  }
  refuseWhenClosed(error);
  const wrapped = /^\s*(?:\(|SELECT\b|WITH\b)/i.test(statementText) ? WRAPPER_START.length : 0;
  const offset = Math.max(0, (error.offset ?? 0) - wrapped);
  const before = statementText.slice(0, offset);
  return {
    statementType: statementType(statementText),
    result: 0,
    errorCode: error.number,
    errorLine: before.split('\n').length,
    errorColumn: offset - before.lastIndexOf('\n') - 1,
    errorDetails: error.message,
  };
}

function statementType(text: string): string {
  const word = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? '';
  if (word === 'BEGIN' || word === 'DECLARE') {
    return 'plsql';
  }
  if (word === 'SELECT' || word === 'WITH') {
    return 'query';
  }
  return word in PARTICIPLES ? 'dml' : 'ddl';
}

function positions(text: string): Item {
  return { startLine: 1, endLine: text.trimEnd().split('\n').length };
}
