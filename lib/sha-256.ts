/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The first 122 free bits of a digest as a UUID of version 8 (RFC 9562 §5.8). */
export function digestUuid(hex: string): string {
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return groups.join('-');
}
