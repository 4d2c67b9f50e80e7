import * as z from 'zod';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type JsonObject, type JsonValue, metadataSchema } from '../../lib/schemas/metadata.ts';
import { toErrorIssues } from '../../lib/schemas/validation-issues.ts';
import type { ExportDocument } from './export-document.ts';

type Path = readonly PropertyKey[];

/** Faults that one error shows. */
const SHOWN_FAULTS = 20;

interface Fault {
  readonly line: number;
  readonly text: string;
}

/** Reads the parts of an export one by one, and remembers what is wrong with them and what is left out. */
export class ExportReader {
  readonly leftOut = new Map<string, number>();
  readonly #document: ExportDocument;
  readonly #faults: Fault[] = [];

  constructor(document: ExportDocument) {
    this.#document = document;
  }

  leaveOut(reason: string, times = 1): void {
    if (times > 0) this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + times);
  }

  addFault(path: Path, message: string): void {
    const place = path.length === 0 ? '' : `${z.core.toDotPath([...path])}: `;
    this.#faults.push({ line: this.#document.lineOf(path), text: `${place}${message}` });
  }

  /**
   * What a schema makes of a part, undefined when it is wrong. Fields that the schema does not name are left out.
   *
   * @param kind What the part is, for the reason that fields are left out
   */
  read<Shape extends z.ZodRawShape>(
    schema: z.ZodObject<Shape>,
    value: unknown,
    path: Path,
    kind: string,
  ): z.output<z.ZodObject<Shape>> | undefined {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) {
        const [described] = toErrorIssues(new z.ZodError([issue]));
        this.addFault([...path, ...issue.path], described?.message ?? issue.message);
      }
      return undefined;
    }
    for (const [name, field] of Object.entries(Object(value))) {
      const isKnown = Object.hasOwn(schema.shape, name);
      if (!isKnown && field !== null) this.leaveOut(`the field ${name} of ${kind}`);
    }
    return parsed.data;
  }

  /**
   * Metadata of the export with what the import adds under one key.
   *
   * @param added Entries; those without a value are not written
   */
  metadata(
    own: JsonObject | null | undefined,
    key: string,
    added: Readonly<Record<string, JsonValue | null | undefined>>,
    path: Path,
  ): JsonObject {
    const entries = Object.entries(added).flatMap(([name, value]) => (value == null ? [] : [[name, value]]));
    const metadata: JsonObject = { ...own, [key]: Object.fromEntries(entries) };
    if (own != null && Object.hasOwn(own, key)) {
      this.addFault(
        [...path, 'metadata', key],
        'is the key under which the import notes where a record is from',
      );
    }
    const checked = metadataSchema.safeParse(metadata);
    if (!checked.success)
      this.addFault([...path, 'metadata'], toErrorIssues(checked.error)[0]?.message ?? '');
    return metadata;
  }

  /**
   * Drops what an export holds more than once, as overlapping pages do.
   *
   * @param kind What they are, for the reason that they are left out
   */
  withoutRepetitions<Item>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    kind: string,
  ): readonly Item[] {
    const found = new Map<string, Item>();
    for (const item of items) {
      const id = idOf(item);
      const known = found.get(id);
      if (known === undefined) found.set(id, item);
      else if (JSON.stringify(known) === JSON.stringify(item))
        this.leaveOut(`${kind} that the export repeats`);
      else this.addFault([], `two different ${kind} have the id ${id}`);
    }
    return [...found.values()];
  }

  /** @throws AgentMemoryError `invalid_request` with every fault, a line each, when there is one */
  requireFaultless(): void {
    if (this.#faults.length === 0) return;
    const faults = this.#faults.toSorted((one, other) => one.line - other.line);
    const shown = faults.slice(0, SHOWN_FAULTS).map(({ line, text }) => `line ${line}: ${text}`);
    const more = faults.length - shown.length;
    const message = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
    throw new AgentMemoryError('invalid_request', message, {
      issues: faults.map(({ line, text }) => ({ path: `line ${line}`, message: text })),
    });
  }
}
