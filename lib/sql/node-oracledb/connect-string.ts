/**
 * Longest values that a connect string may ask for. Those that cloud consoles hand out wait a minute and longer before
 * they give up (`retry_count=20` with `retry_delay=3`), which a request cannot.
 */
const LIMITS: Readonly<Record<string, number>> = {
  retry_count: 1,
  retry_delay: 1,
  connect_timeout: 5,
  transport_connect_timeout: 3,
};
const LIMITED = /\b(retry_count|retry_delay|connect_timeout|transport_connect_timeout)(\s*=\s*)(\d+)/gi;

/** The connect string with its retries and waiting times cut to what a request can wait. Units are seconds. */
export function shortenRetries(connectString: string): string {
  return connectString.replace(LIMITED, (_, name: string, equals: string, value: string) => {
    const limit = LIMITS[name.toLowerCase()] ?? Number(value);
    return `${name}${equals}${Math.min(Number(value), limit)}`;
  });
}

/** Whether it begins as tools of the command line take it, `user/password@…`: the driver would repeat that in its errors. */
export function namesUser(connectString: string): boolean {
  return /^[^()?]*@/.test(connectString);
}

/** Whether a connection may go without TLS. A name of `tnsnames.ora` does not tell and is taken for encrypted. */
export function allowsPlainText(connectString: string): boolean {
  if (!connectString.startsWith('(')) return !/^\s*tcps:/i.test(connectString) && connectString.includes('/');
  const protocols = [...connectString.matchAll(/\(\s*protocol\s*=\s*(\w+)\s*\)/gi)];
  return protocols.length === 0 || protocols.some(([, protocol]) => protocol?.toLowerCase() !== 'tcps');
}

/** Whether it asks for Database Resident Connection Pooling: `(SERVER=POOLED)`, or `:pooled` after the service. */
export function usesServerPool(connectString: string): boolean {
  return /\(\s*server\s*=\s*pooled\s*\)|:pooled\b/i.test(connectString);
}

/**
 * The hosts that it names, of a descriptor or of the Easy Connect form `[protocol://]host[,host][:port]/service`. A name
 * of `tnsnames.ora` is taken for a host.
 */
export function hostsOf(connectString: string): readonly string[] {
  if (connectString.trimStart().startsWith('(')) {
    return [...connectString.matchAll(/\(\s*host\s*=\s*([^)\s]+)\s*\)/gi)].map((match) => match[1] ?? '');
  }
  const [addresses = ''] = connectString.replace(/^\s*(?:\w+:)?\/\//, '').split('/');
  return addresses.split(/[,;]/).map((address) => address.trim().replace(/(?<=^[^:]+|\]):\d+$/, ''));
}
