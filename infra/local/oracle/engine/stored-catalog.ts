import type {
  Catalog,
  CatalogChange,
  FunctionDefinition,
  IndexDefinition,
  ProcedureDefinition,
  RowPolicy,
  TableDefinition,
} from './catalog.ts';
import type { EmbeddingModel } from './oracle-engine.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** The catalog of the emulated schema, kept in memory and in the database so that a reopened directory knows it. */
export class StoredCatalog implements Catalog {
  readonly #tables = new Map<string, TableDefinition>();
  readonly #indexes = new Map<string, IndexDefinition>();
  readonly #sequences = new Set<string>();
  readonly #functions = new Map<string, FunctionDefinition>();
  readonly #procedures = new Map<string, ProcedureDefinition>();
  readonly #contexts = new Map<string, string>();
  #policies: readonly RowPolicy[] = [];
  readonly #models: ReadonlyMap<string, EmbeddingModel>;

  constructor(models: ReadonlyMap<string, EmbeddingModel> = new Map()) {
    this.#models = models;
  }

  table(name: string): TableDefinition | undefined {
    return this.#tables.get(name);
  }

  index(name: string): IndexDefinition | undefined {
    return this.#indexes.get(name);
  }

  sequence(name: string): boolean {
    return this.#sequences.has(name);
  }

  storedFunction(name: string): FunctionDefinition | undefined {
    return this.#functions.get(name);
  }

  procedure(name: string): ProcedureDefinition | undefined {
    return this.#procedures.get(name);
  }

  contextProcedure(name: string): string | undefined {
    return this.#contexts.get(name);
  }

  policies(): readonly RowPolicy[] {
    return this.#policies;
  }

  textIndex(table: string, column: string): IndexDefinition | undefined {
    return this.indexes().find(
      (index) => index.kind === 'TEXT' && index.table === table && index.columns.includes(column),
    );
  }

  embeddingModel(name: string): EmbeddingModel | undefined {
    return this.#models.get(name);
  }

  tables(): readonly TableDefinition[] {
    return [...this.#tables.values()];
  }

  indexes(): readonly IndexDefinition[] {
    return [...this.#indexes.values()];
  }

  /** Makes the changes visible, once they are committed. */
  apply(changes: readonly CatalogChange[]): void {
    for (const change of changes) {
      this.#applyOne(change);
    }
  }

  /** Writes the changes to the database, inside the transaction of the DDL statement. */
  async store(connection: PostgresConnection, changes: readonly CatalogChange[]): Promise<void> {
    for (const change of changes) {
      await connection.run('SELECT ora.record_change($1::jsonb)', [JSON.stringify(change)]);
    }
  }

  /** Reads what earlier processes stored. */
  async load(connection: PostgresConnection): Promise<void> {
    const result = await connection.run('SELECT change FROM ora.catalog_change ORDER BY position');
    for (const [change] of result.rows) {
      this.#applyOne(JSON.parse(change ?? ''));
    }
  }

  #applyOne(change: CatalogChange): void {
    switch (change.kind) {
      case 'table':
        this.#tables.set(change.table.name, change.table);
        break;
      case 'drop_table':
        this.#dropTable(change.name);
        break;
      case 'index':
        this.#indexes.set(change.index.name, change.index);
        break;
      case 'drop_index':
        this.#indexes.delete(change.name);
        break;
      case 'sequence':
        this.#sequences.add(change.name);
        break;
      case 'drop_sequence':
        this.#sequences.delete(change.name);
        break;
      case 'function':
        this.#functions.set(change.function.name, change.function);
        break;
      case 'drop_function':
        this.#functions.delete(change.name);
        break;
      case 'procedure':
        this.#procedures.set(change.procedure.name, change.procedure);
        break;
      case 'drop_procedure':
        this.#procedures.delete(change.name);
        break;
      case 'context':
        this.#contexts.set(change.name, change.procedure);
        break;
      case 'drop_context':
        this.#contexts.delete(change.name);
        break;
      case 'policy':
        this.#policies = [...this.#policies, change.policy];
        break;
      case 'drop_policy':
        this.#policies = this.#policies.filter(
          ({ table, name }) => table !== change.table || name !== change.name,
        );
        break;
    }
  }

  #dropTable(name: string): void {
    this.#tables.delete(name);
    this.#policies = this.#policies.filter(({ table }) => table !== name);
    for (const index of this.indexes()) {
      if (index.table === name) {
        this.#indexes.delete(index.name);
      }
    }
  }
}
