const HEX_DIGITS = 32;

/**
 * Id of the n-th memory of a job: the same whenever and wherever the job runs, so that a repeated write cannot
 * duplicate it. A UUID of version 8, made from a SHA-256 digest (RFC 9562 §5.8).
 */
export async function deriveMemoryId(jobId: string, ordinal: number): Promise<string> {
  const name = new TextEncoder().encode(`${jobId}/${ordinal}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', name));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HEX_DIGITS);
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return groups.join('-');
}
