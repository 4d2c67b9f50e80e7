import { digestUuid, sha256Hex } from '../../sha-256.ts';

/**
 * Id of the n-th memory of a job: the same whenever and wherever the job runs, so that a repeated write cannot
 * duplicate it.
 */
export async function deriveMemoryId(jobId: string, ordinal: number): Promise<string> {
  return digestUuid(await sha256Hex(`${jobId}/${ordinal}`));
}
