import { fromOracleError } from '../../lib/sql/oracle-error.ts';
import { decodeRows, type RawRow } from '../../lib/sql/result-shape.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import type { AtomicList, Query, ResultShape, Row } from '../../lib/sql/statement.ts';

/** A database schema that holds names of objects, columns and settings: enough to drive the policies, and to fail on demand. */
export interface SchemaDouble {
  readonly transport: SqlTransport;
  readonly objects: Set<string>;
  /** `TABLE.COLUMN`. */
  readonly columns: Set<string>;
  readonly meta: Map<string, string>;
  /** DDL texts, also those that failed. */
  readonly ddl: string[];
  /** Oracle error numbers by text: the next DDL statement that contains the text fails with the next number. */
  readonly faults: Map<string, number[]>;
}

const fail = (number: number, text: string) =>
  fromOracleError({ number, text: `ORA-${String(number).padStart(5, '0')}: ${text}`, statement: 'double' });
/** What Oracle says where a package is not granted. */
const NO_TEXT_PACKAGE = "line 2, column 3:\nPLS-00201: identifier 'CTX_DDL' must be declared";

export function createSchemaDouble(metaTable = 'MEMORY_META'): SchemaDouble {
  const objects = new Set<string>();
  const columns = new Set<string>();
  const meta = new Map<string, string>();
  const ddl: string[] = [];
  const faults = new Map<string, number[]>();

  function answer(query: Query<ResultShape>): readonly RawRow[] {
    if (query.name === 'schema.read_objects') {
      const names: readonly string[] = JSON.parse(String(query.binds.object_names?.value));
      const found = names.filter((name) => objects.has(name));
      return [
        ...found.map((object_name) => ({ object_name, column_name: null })),
        ...[...columns]
          .map((column) => column.split('.'))
          .filter(([table = '']) => found.includes(table))
          .map(([object_name, column_name]) => ({ object_name, column_name })),
      ];
    }
    if (query.name === 'schema.read_model') return [{ model_dimensions: 384 }];
    if (query.name !== 'schema.read_state') throw new Error(`unexpected query ${query.name}`);
    if (!objects.has(metaTable)) throw fail(942, 'table does not exist');
    return [...meta].map(([meta_key, meta_value]) => ({ meta_key, meta_value }));
  }

  function write(list: AtomicList): void {
    const value = (name: string): string => String(list.binds[name]?.value);
    if (list.name === 'schema.write_retention') {
      meta.set('retention', value('retention'));
      return;
    }
    if (list.name === 'schema.write_index_kind') {
      meta.set(value('index_key'), value('kind'));
      return;
    }
    if (list.name !== 'schema.write_state') throw new Error(`unexpected list ${list.name}`);
    for (const entry of JSON.parse(value('entries')))
      if (!meta.has(entry.key)) meta.set(entry.key, entry.value);
    for (const key of ['schema_version', 'search_strategy', 'search_index_sync']) meta.set(key, value(key));
  }

  function define(sql: string): void {
    ddl.push(sql);
    const fault = [...faults]
      .find(([text, numbers]) => sql.includes(text) && numbers.length > 0)?.[1]
      .shift();
    if (fault !== undefined) throw fail(fault, sql.includes('CTX_DDL') ? NO_TEXT_PACKAGE : sql);
    const [, verb, kind, name = ''] =
      /^(CREATE|DROP) (?:VECTOR |SEARCH )?(TABLE|INDEX) (\w+)/.exec(sql) ??
      /^BEGIN\s+(DBMS_SCHEDULER)\.CREATE_(JOB)\(\s+job_name => '(\w+)'/.exec(sql) ??
      /^BEGIN\s+DBMS_SCHEDULER\.(DROP)_(JOB)\(job_name => '(\w+)'/.exec(sql) ??
      [];
    if (verb === 'CREATE' && objects.has(name)) throw fail(955, 'name is already used');
    if (verb === 'DROP' && !objects.has(name)) throw fail(kind === 'TABLE' ? 942 : 1418, 'does not exist');
    if (verb === 'DROP') drop(name);
    else if (verb !== undefined) objects.add(name);
    if (kind === 'TABLE') for (const [, column = ''] of sql.matchAll(/^ {2}([a-z]\w*) /gm)) add(name, column);
    const [, altered = '', column = ''] = /^ALTER TABLE (\w+) ADD (\w+)/.exec(sql) ?? [];
    if (columns.has(`${altered}.${column.toUpperCase()}`))
      throw fail(1430, 'column being added already exists');
    if (altered !== '') add(altered, column);
  }

  function add(table: string, column: string): void {
    columns.add(`${table}.${column.toUpperCase()}`);
  }

  function drop(table: string): void {
    for (const name of objects) if (name === table || name.startsWith(`${table}_`)) objects.delete(name);
    for (const column of columns) if (column.startsWith(`${table}.`)) columns.delete(column);
    if (table === metaTable) meta.clear();
  }

  const transport: SqlTransport = {
    capabilities: { maxRows: 1000, fixedStatements: false },
    query: async <Shape extends ResultShape>(query: Query<Shape>): Promise<readonly Row<Shape>[]> =>
      decodeRows(query, undefined, answer(query)),
    executeAtomic: async (list) => {
      const fault = faults.get(list.name)?.shift();
      if (fault !== undefined) throw fail(fault, list.name);
      write(list);
      return {};
    },
    executeDdl: async (sql) => define(sql),
    close: async () => {},
  };
  return { transport, objects, columns, meta, ddl, faults };
}
