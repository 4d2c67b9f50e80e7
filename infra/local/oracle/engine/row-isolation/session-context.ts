const MAXIMUM_VALUE_BYTES = 4_000;

/**
 * The application contexts of one session: values by namespace and attribute, without regard to case (Database Security
 * Guide, "Using Application Contexts"). They belong to no transaction.
 */
export class SessionContext {
  readonly #values = new Map<string, Map<string, string>>();

  /** A value of more than 4,000 bytes is cut there. */
  set(namespace: string, attribute: string, value: string): void {
    const attributes = this.#values.get(namespace.toUpperCase()) ?? new Map<string, string>();
    attributes.set(attribute.toUpperCase(), cut(value));
    this.#values.set(namespace.toUpperCase(), attributes);
  }

  clear(namespace: string): void {
    this.#values.delete(namespace.toUpperCase());
  }

  /** All values, for `ora.sys_context`. */
  toJson(): string {
    const namespaces = [...this.#values].map(([name, attributes]) => [name, Object.fromEntries(attributes)]);
    return JSON.stringify(Object.fromEntries(namespaces));
  }
}

function cut(value: string): string {
  let kept = value;
  while (Buffer.byteLength(kept) > MAXIMUM_VALUE_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept;
}
