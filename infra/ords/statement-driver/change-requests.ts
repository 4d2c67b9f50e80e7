import type { MessageEdit } from '../../../lib/store/messages/stored-message.ts';
import type { Lifetime, RecordChange, RecordFamily } from '../../../lib/store/records/stored-record.ts';

/** An update of one record, with what it is of. */
export interface ChangeRequest {
  readonly family: RecordFamily;
  readonly change: RecordChange;
}

const TIMESTAMP = '2026-01-01T00:00:00.000Z';
/** Every way to count an expiry. */
const LIFETIMES: readonly (Lifetime | undefined)[] = [
  undefined,
  { ttlDays: null, ttlAnchor: 'created_at' },
  { ttlDays: 7, ttlAnchor: 'created_at' },
  { ttlDays: null, ttlAnchor: 'timestamp' },
  { ttlDays: 7, ttlAnchor: 'timestamp' },
];
const METADATA = [undefined, {}] as const;

/** Every change of text and retrieval rows. */
function payloads(vector: Float32Array): readonly Pick<RecordChange, 'content' | 'retrieval'>[] {
  const chunks = [{ text: 'text', embedding: vector }];
  return [
    {},
    { content: { text: 'text', chunks } },
    { retrieval: { kind: 'rows', chunks } },
    { retrieval: { kind: 'vectors', vectors: [vector] } },
    { retrieval: { kind: 'no_vectors' } },
  ];
}

/**
 * Each way to count an expiry with each change of retrieval rows, of a message too; of a memory with and without a change
 * of what it says, whose earlier form is kept. For what has content or keeps it, each further field given or not.
 */
export function* everyChange(vector: Float32Array): Generator<ChangeRequest> {
  for (const family of ['memory', 'message'] as const)
    for (const payload of payloads(vector))
      for (const lifetime of LIFETIMES) {
        yield { family, change: { ...payload, lifetime } };
        if (family === 'message') continue;
        yield { family, change: { ...payload, lifetime, metadata: {} } };
        if (payload.retrieval !== undefined) continue;
        yield { family, change: { ...payload, lifetime, timestamp: TIMESTAMP } };
        yield { family, change: { ...payload, lifetime, metadata: {}, timestamp: TIMESTAMP } };
      }
}

/** Each field of a message given or not, each way to count an expiry. */
export function* everyEdit(): Generator<MessageEdit['change']> {
  for (const content of [undefined, { text: 'text', chunks: [] }])
    for (const metadata of METADATA) for (const lifetime of LIFETIMES) yield { content, metadata, lifetime };
}
