/** Whether a host is this computer. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^(?:127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}
