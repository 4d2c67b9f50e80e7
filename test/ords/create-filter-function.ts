import { renderFilterFunction } from '../../infra/ords/render-module-script.ts';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** Creates the function that metadata filters call, over a transport that takes any text but no blank lines. */
export async function createFilterFunction(transport: SqlTransport, names: SchemaNames): Promise<void> {
  await transport.executeDdl(renderFilterFunction(names).replaceAll(/\n\s*(?=\n)/g, ''));
}
