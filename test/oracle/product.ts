import { type RawDatabase, StatementRefused } from './raw/raw-database.ts';

/** What answers. Only `oracle` may be called Oracle Database. */
export interface Product {
  readonly kind: 'oracle' | 'emulator' | 'unknown';
  /** As the database calls itself, with its version. */
  readonly name: string;
}

/** Asks a database what it is. Any user may read the view (Database Reference, PRODUCT_COMPONENT_VERSION). */
export async function readProduct(database: RawDatabase): Promise<Product> {
  const sql =
    'SELECT p.product AS product, p.version_full AS version_full, p.status AS status FROM product_component_version p';
  try {
    const { rows } = await database.ask({ sql });
    return productOf(
      rows.map(({ product, version_full }) => `${String(product).trim()} ${String(version_full)}`),
    );
  } catch (error) {
    if (!(error instanceof StatementRefused)) throw error;
    return { kind: 'unknown', name: `a database that does not say what it is (${error.message})` };
  }
}

/** `Oracle AI Database 26ai …`, `Oracle Database 23ai …`; the emulator of this project says that it is one. */
function productOf(names: readonly string[]): Product {
  const name = names.join(', ');
  if (/\bemulat/i.test(name)) return { kind: 'emulator', name };
  return { kind: names.some((each) => /^Oracle\b.*\bDatabase\b/i.test(each)) ? 'oracle' : 'unknown', name };
}
