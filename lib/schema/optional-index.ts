import { text } from '../sql/bind.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import type { SchemaNames } from './schema-names.ts';

export interface IndexRecordOptions extends CallOptions {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
}

/** Records of which kind an index is that no strategy needs. One round trip. */
export async function recordIndexKind(
  { transport, names, signal }: IndexRecordOptions,
  index: 'vector_index' | 'json_index',
  kind: string,
): Promise<void> {
  await transport.executeAtomic(
    {
      name: 'schema.write_index_kind',
      binds: { index_key: text(index), kind: text(kind) },
      statements: [
        {
          name: 'index_kind',
          sql:
            `MERGE INTO ${names.meta} m USING dual ON (m.meta_key = :index_key) ` +
            'WHEN MATCHED THEN UPDATE SET m.meta_value = :kind, m.updated_at = :now ' +
            'WHEN NOT MATCHED THEN INSERT (meta_key, meta_value, updated_at) VALUES (:index_key, :kind, :now)',
        },
      ],
    },
    { signal },
  );
}
