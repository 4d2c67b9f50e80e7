import type { Configuration } from '../../functions/runtime/configuration.ts';
import type { TransportConfiguration } from '../../functions/runtime/transport-configuration.ts';
import { hostsOf } from '../../lib/sql/node-oracledb/connect-string.ts';

/** What a person sees when the service is ready: where it is, over what, and a line to try. */
export function welcome(
  { transport, server, embedder, llm }: Configuration,
  url: string,
  queuePlace: string,
): string {
  return [
    `agent-memory-functions is ready on ${url}`,
    `  database  ${describe(transport, server.dataDirectory)}`,
    `  jobs      ${queuePlace}`,
    `  models    embedder ${embedder.kind}, language model ${llm.kind}`,
    '',
    'Try it:',
    `  curl -s ${url}/v1/threads -H 'Content-Type: application/json' -d '{"userId": "maya"}'`,
  ].join('\n');
}

function describe(transport: TransportConfiguration, dataDirectory: string): string {
  if (transport.kind === 'ords') return `ORDS at ${transport.config.url}`;
  if (transport.kind === 'thin') return `Oracle at ${hostsOf(transport.config.connectString).join(', ')}`;
  const through = { process: '', ords: ' through its ORDS endpoint', thin: ' through its TNS listener' };
  return `the embedded Oracle emulator${through[transport.entrance]}, data in ${dataDirectory}`;
}
