import { isProfileType, type RecordType } from '../schemas/record.ts';
import type { RecordFamily } from '../store/records/stored-record.ts';

/** The id space of a record type: the four types of memories share one. */
export function familyOf(recordType: RecordType): RecordFamily {
  if (recordType === 'message' || isProfileType(recordType)) return recordType;
  return 'memory';
}
