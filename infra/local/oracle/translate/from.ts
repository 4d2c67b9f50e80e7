import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import type { TableReference } from '../sql/query-syntax.ts';
import type { Identifier } from '../sql/syntax-tree.ts';
import { refuseIncomparable } from './comparison.ts';
import { translateConditionValue } from './condition.ts';
import { DICTIONARY_VIEWS } from './dictionary-views.ts';
import { translateJsonTable } from './json-table.ts';
import { quoteName } from './names.ts';
import type { Environment, Scope, Source } from './scope.ts';

/** A FROM list, or a part of it. */
interface From {
  readonly sql: string;
  readonly sources: readonly Source[];
  readonly merged: ReadonlyMap<string, OracleType | undefined>;
}

/** Translates a FROM list. ORA-00942: no such table. */
export function translateFrom(references: readonly TableReference[], environment: Environment): From {
  let from: From = { sql: '', sources: [], merged: new Map() };
  for (const reference of references) {
    const next = translateReference(reference, environment, from.sources);
    checkAliases(from.sources, next.sources, reference.offset);
    from = {
      sql: from.sql === '' ? next.sql : `${from.sql}, ${next.sql}`,
      sources: [...from.sources, ...next.sources],
      merged: new Map([...from.merged, ...next.merged]),
    };
  }
  return from;
}

function checkAliases(left: readonly Source[], right: readonly Source[], offset: number): void {
  const duplicate = right.find((source) => left.some((other) => other.alias === source.alias));
  if (duplicate !== undefined) {
    throw new OracleError(918, `${duplicate.alias}: table name or alias specified more than once`, {
      offset,
    });
  }
}

/** One reference; `visible` are the sources before it, which LATERAL and JSON_TABLE may use. */
export function translateReference(
  reference: TableReference,
  environment: Environment,
  visible: readonly Source[],
): From {
  const lateral = (): Environment => ({ ...environment, scope: { ...lateralScope(environment, visible) } });
  switch (reference.kind) {
    case 'table':
      return single(translateTable(reference.name, reference.alias, environment));
    case 'derived': {
      const inner = reference.lateral ? lateral() : environment;
      const { sql, columns } = environment.translateQuery(reference.query, {
        ...inner,
        grouping: undefined,
        inCondition: false,
      });
      const alias = reference.alias?.name ?? environment.state.nextAlias();
      const names = columns.map((column) => quoteName(column.name)).join(', ');
      return single({
        sql: `${reference.lateral ? 'LATERAL ' : ''}(${sql}) AS ${quoteName(alias)}(${names})`,
        source: { alias, table: undefined, columns },
      });
    }
    case 'json_table': {
      const alias = reference.alias?.name ?? environment.state.nextAlias();
      const { sql, columns } = translateJsonTable(reference, lateral());
      return single({
        sql: `LATERAL (${sql}) AS ${quoteName(alias)}`,
        source: { alias, table: undefined, columns },
      });
    }
    case 'join':
      return translateJoin(reference, environment, visible);
  }
}

function lateralScope(environment: Environment, visible: readonly Source[]): Scope {
  return {
    parent: environment.scope,
    sources: visible,
    merged: new Map(),
    commonTables: environment.scope.commonTables,
  };
}

function single({ sql, source }: { readonly sql: string; readonly source: Source }): From {
  return { sql, sources: [source], merged: new Map() };
}

/** A common table, DUAL, a view of the data dictionary or a table of the schema, in this order. */
function translateTable(
  name: Identifier,
  alias: Identifier | undefined,
  environment: Environment,
): { readonly sql: string; readonly source: Source } {
  const as = alias?.name ?? name.name;
  const common = environment.scope.commonTables.get(name.name);
  if (common !== undefined) {
    return {
      sql: `${quoteName(name.name)} AS ${quoteName(as)}`,
      source: { alias: as, table: undefined, columns: common },
    };
  }
  const table = environment.state.catalog.table(name.name);
  if (table !== undefined) {
    return {
      sql: `${quoteName(name.name)} AS ${quoteName(as)}`,
      source: { alias: as, table: name.name, columns: table.columns },
    };
  }
  const view = DICTIONARY_VIEWS.get(name.name);
  if (view !== undefined) {
    return {
      sql: `ora.${quoteName(name.name)} AS ${quoteName(as)}`,
      source: { alias: as, table: undefined, columns: view },
    };
  }
  throw new OracleError(942, `table or view "${name.name}" does not exist`, { offset: name.offset });
}

function translateJoin(
  reference: TableReference & { kind: 'join' },
  environment: Environment,
  visible: readonly Source[],
): From {
  const left = translateReference(reference.left, environment, visible);
  const right = translateReference(reference.right, environment, [...visible, ...left.sources]);
  checkAliases(left.sources, right.sources, reference.offset);
  const sources = [...left.sources, ...right.sources];
  const merged = new Map([...left.merged, ...right.merged]);
  const rightSql = reference.right.kind === 'join' ? `(${right.sql})` : right.sql;
  if (reference.type === 'CROSS') {
    return { sql: `${left.sql} CROSS JOIN ${rightSql}`, sources, merged };
  }
  const words = `${reference.type === 'INNER' ? '' : `${reference.type} `}JOIN`;
  const names = reference.natural ? commonNames(left, right) : reference.using?.map((column) => column.name);
  if (names !== undefined) {
    if (names.length === 0) {
      return { sql: `${left.sql} CROSS JOIN ${rightSql}`, sources, merged };
    }
    names.forEach((name) => {
      merged.set(name, mergedType(name, left, right, reference.offset));
    });
    return {
      sql: `${left.sql} ${words} ${rightSql} USING (${names.map(quoteName).join(', ')})`,
      sources,
      merged,
    };
  }
  const scope: Scope = {
    parent: environment.scope,
    sources: [...visible, ...sources],
    merged,
    commonTables: environment.scope.commonTables,
  };
  const on =
    reference.on === undefined
      ? 'TRUE'
      : translateConditionValue(reference.on, {
          ...environment,
          scope,
          grouping: undefined,
          textQueries: new Map(),
        });
  return { sql: `${left.sql} ${words} ${rightSql} ON ${on}`, sources, merged };
}

function commonNames(left: From, right: From): readonly string[] {
  const names = new Set(left.sources.flatMap((source) => source.columns.map((column) => column.name)));
  return right.sources
    .flatMap((source) => source.columns.map((column) => column.name))
    .filter((name) => names.has(name));
}

function mergedType(name: string, left: From, right: From, offset: number): OracleType | undefined {
  const [type] = [left, right].map((side) => {
    const column = side.sources
      .flatMap((source) => source.columns)
      .find((candidate) => candidate.name === name);
    if (column === undefined) {
      throw new OracleError(904, `"${name}": invalid identifier`, { offset });
    }
    refuseIncomparable({ sql: '', type: column.type }, offset);
    return column.type;
  });
  return type;
}
