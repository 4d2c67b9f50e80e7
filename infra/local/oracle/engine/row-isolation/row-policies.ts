import { OracleError } from '../../sql/oracle-error.ts';
import { parseCondition } from '../../sql/parser/parse-condition.ts';
import { TokenReader } from '../../sql/parser/token-reader.ts';
import { translateConditionValue } from '../../translate/condition.ts';
import { quoteName } from '../../translate/names.ts';
import { StatementState } from '../../translate/scope.ts';
import { rowEnvironment } from '../../translate/target.ts';
import { POLICY_STATEMENTS, type PolicyStatement, type RowPolicy } from '../catalog.ts';
import type { PostgresConnection } from '../postgres-connection.ts';
import type { StatementTranslator, TranslatedStatement } from '../statement-translator.ts';
import type { StoredCatalog } from '../stored-catalog.ts';
import type { SessionContext } from './session-context.ts';

/** PostgreSQL's row level security does not hold for its superuser, which runs everything else. */
const ROLE = 'ora_session';
/** Longest predicate that a policy function may return without `long_predicate`. */
const SHORT_PREDICATE_BYTES = 4_000;
const MAXIMUM_KNOWN = 500;

const CREATE_ROLE = `
DO $$ BEGIN CREATE ROLE ${ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
GRANT USAGE ON SCHEMA public, ora TO ${ROLE};
GRANT ALL ON ALL TABLES IN SCHEMA public, ora TO ${ROLE};
GRANT ALL ON ALL SEQUENCES IN SCHEMA public, ora TO ${ROLE};
`;

/**
 * The policies of DBMS_RLS, as row level security of PostgreSQL: before a statement the policy functions are asked for
 * the conditions of the session that runs, and the statement runs as a role that these hold for. Until there is a policy,
 * nothing of this costs anything.
 */
export class RowPolicies {
  readonly #connection: PostgresConnection;
  readonly #catalog: StoredCatalog;
  readonly #translator: StatementTranslator;
  /** The context that PostgreSQL knows; undefined: unknown. */
  #context: string | undefined = '{}';
  /** Conditions that PostgreSQL has, by table. */
  readonly #conditions = new Map<string, string>();
  /** What policies that are context sensitive gave, by context and policy, of this version of the catalog. */
  readonly #known = new Map<string, string>();
  #knownVersion: number | undefined;
  /** Version of the catalog whose tables the role may use. */
  #grantedVersion: number | undefined;

  constructor(connection: PostgresConnection, catalog: StoredCatalog, translator: StatementTranslator) {
    this.#connection = connection;
    this.#catalog = catalog;
    this.#translator = translator;
  }

  /**
   * Makes the session's context and conditions count. Returns whether the statement is to run until `leave`; one that
   * reads no table and calls nothing stored, as most expressions of blocks, needs none of it.
   */
  async enter(statement: TranslatedStatement, context: SessionContext): Promise<boolean> {
    if (!this.#asksForRows(statement)) {
      return false;
    }
    const json = context.toJson();
    if (json !== this.#context) {
      await this.#connection.run("SELECT set_config('ora.session_context', $1, false)", [json]);
      this.#context = json;
    }
    const policies = this.#catalog.policies();
    if (policies.length === 0) {
      return false;
    }
    if (this.#grantedVersion !== this.#translator.catalogVersion) {
      await this.#connection.control(CREATE_ROLE);
      this.#grantedVersion = this.#translator.catalogVersion;
    }
    for (const table of new Set(policies.map((policy) => policy.table))) {
      await this.#restrict(
        table,
        policies.filter((policy) => policy.table === table),
      );
    }
    await this.#connection.control(`SET ROLE ${ROLE}`);
    return true;
  }

  /** Names of tables, views and functions are quoted in PostgreSQL's text; an alias that looks like one does no harm. */
  #asksForRows({ steps }: TranslatedStatement): boolean {
    const isNamed = (name: string) => steps.some(({ sql }) => sql.includes(name));
    return (
      isNamed('"(') ||
      isNamed('ora.sys_context(') ||
      this.#catalog.tables().some((table) => isNamed(quoteName(table.name)))
    );
  }

  async leave(): Promise<void> {
    await this.#connection.control('RESET ROLE');
  }

  /** What was undone may have been what PostgreSQL was told. */
  forget(): void {
    this.#context = undefined;
    this.#grantedVersion = undefined;
    this.#conditions.clear();
  }

  async #restrict(table: string, policies: readonly RowPolicy[]): Promise<void> {
    const conditions = new Map<RowPolicy, string>();
    for (const policy of policies) {
      conditions.set(policy, await this.#conditionOf(policy));
    }
    const definition = POLICY_STATEMENTS.map((kind) => policyFor(kind, table, conditions)).join('; ');
    if (this.#conditions.get(table) === definition) {
      return;
    }
    await this.#connection.control(
      `${definition}; ALTER TABLE ${quoteName(table)} ENABLE ROW LEVEL SECURITY`,
    );
    this.#conditions.set(table, definition);
  }

  async #conditionOf(policy: RowPolicy): Promise<string> {
    if (!policy.contextSensitive) {
      return this.#condition(policy);
    }
    const { catalogVersion } = this.#translator;
    if (this.#knownVersion !== catalogVersion || this.#known.size >= MAXIMUM_KNOWN) {
      this.#known.clear();
      this.#knownVersion = catalogVersion;
    }
    const key = JSON.stringify([policy.table, policy.name, this.#context]);
    const condition = this.#known.get(key) ?? (await this.#condition(policy));
    this.#known.set(key, condition);
    return condition;
  }

  /** ORA-28112: the policy function fails; ORA-28113: what it returns is no condition on the table. */
  async #condition(policy: RowPolicy): Promise<string> {
    const predicate = await this.#predicate(policy);
    if (predicate === null) {
      return 'true';
    }
    const isLong = Buffer.byteLength(predicate) > SHORT_PREDICATE_BYTES;
    try {
      if (isLong && !policy.longPredicate) {
        throw new OracleError(6502, 'PL/SQL: numeric or value error: character string buffer too small');
      }
      const definition = this.#catalog.table(policy.table);
      const reader = new TokenReader(predicate);
      const condition = parseCondition(reader);
      if (reader.peek().kind !== 'end' || definition === undefined) {
        return reader.fail(933);
      }
      const state = new StatementState({ catalog: this.#catalog, binds: new Map(), variables: new Map() });
      const source = { alias: definition.name, table: definition.name, columns: definition.columns };
      return translateConditionValue(condition, rowEnvironment(state, [source]));
    } catch (cause) {
      throw new OracleError(28113, 'policy predicate has error', { cause });
    }
  }

  async #predicate({ table, functionName, schema }: RowPolicy): Promise<string | null> {
    const type = { kind: 'VARCHAR2', length: 128, unit: 'BYTE' } as const;
    const binds = new Map([
      ['SCHEMA_NAME', type],
      ['TABLE_NAME', type],
    ]);
    const values: Readonly<Record<string, string>> = { SCHEMA_NAME: schema, TABLE_NAME: table };
    try {
      const { steps } = this.#translator.translate(
        `SELECT ${functionName}(:schema_name, :table_name) AS predicate FROM dual`,
        binds,
        new Map(),
      );
      const [step] = steps;
      const parameters = step?.parameters.map(({ name }) => values[name] ?? null) ?? [];
      const { rows } = await this.#connection.run(step?.sql ?? '', parameters);
      return rows[0]?.[0] ?? null;
    } catch (cause) {
      throw new OracleError(28112, 'failed to execute policy function', { cause });
    }
  }
}

/** PostgreSQL's policy for one kind of statements; without a policy of DBMS_RLS for it every row is allowed. */
function policyFor(kind: PolicyStatement, table: string, conditions: ReadonlyMap<RowPolicy, string>): string {
  const policies = [...conditions].filter(([{ statements }]) => statements.includes(kind));
  const using = policies.map(([, condition]) => condition).join(' AND ') || 'true';
  const checked = policies.filter(([{ updateCheck }]) => updateCheck);
  const check = checked.map(([, condition]) => condition).join(' AND ') || 'true';
  const clauses = {
    SELECT: `USING (${using})`,
    INSERT: `WITH CHECK (${check})`,
    UPDATE: `USING (${using}) WITH CHECK (${check})`,
    DELETE: `USING (${using})`,
  };
  const name = policyName(kind);
  const place = `${name} ON ${quoteName(table)}`;
  return `DROP POLICY IF EXISTS ${place}; CREATE POLICY ${place} FOR ${kind} TO ${ROLE} ${clauses[kind]}`;
}

function policyName(kind: PolicyStatement): string {
  return `ora_rows_${kind.toLowerCase()}`;
}

/** PostgreSQL's statements that take the conditions of a table away. */
export function removeConditions(table: string): readonly string[] {
  const name = quoteName(table);
  return [
    ...POLICY_STATEMENTS.map((kind) => `DROP POLICY IF EXISTS ${policyName(kind)} ON ${name}`),
    `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`,
  ];
}
