import type { UserDataLine, UserDataPosition } from '../../schemas/user-data.ts';
import type { Chunk, RecordFamily } from '../records/stored-record.ts';

/** Lines about a user, each with the position after which the next one is read. */
export interface UserDataPage {
  readonly lines: readonly { readonly line: UserDataLine; readonly position: UserDataPosition }[];
  /** Whether its part has more. */
  readonly more: boolean;
}

export interface UserDataRequest extends UserDataPosition {
  readonly userId: string;
  /** Whether every vector comes, or only those without a text. */
  readonly vectors: boolean;
}

type LineOf<Type> = Extract<UserDataLine, { readonly type: Type }>;

/** One retrieval row of an import. */
export interface ImportedChunk extends Chunk {
  readonly family: RecordFamily;
  readonly recordId: string;
  readonly number: number;
}

/** What one import writes. */
export interface UserDataBatch {
  readonly threads: readonly LineOf<'thread'>[];
  readonly records: readonly (LineOf<'record'> & { readonly family: RecordFamily })[];
  readonly chunks: readonly ImportedChunk[];
  readonly forms: readonly LineOf<'earlier_form'>[];
  /** Whether texts and forms may be added to guidelines that are there. */
  readonly writesGuidelines: boolean;
}
