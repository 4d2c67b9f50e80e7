import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import type { Services } from '../services.ts';
import type { RuntimeParts } from './deployed-services.ts';
import { openThinTransport } from './open-thin-transport.ts';
import { shareLoad } from './share-load.ts';
import { readStoredVariables } from './stored-variables.ts';
import type { ThinConfiguration } from './thin-configuration.ts';

/** What an entry of AWS Lambda bundles for its operations or jobs. */
export type LambdaParts = Omit<RuntimeParts, 'openThinTransport' | 'writeLine'>;

/**
 * The services of an execution environment, from its environment variables and what they refer to. Their modules are
 * loaded with it, so that a process that serves the same operations otherwise does not load them.
 */
export async function openLambdaServices(parts: LambdaParts): Promise<Services> {
  const { createDeployedServices } = await import('./deployed-services.ts');
  const variables = await readStoredVariables(process.env);
  try {
    const loadTokenizer = shareLoad(parts.loadTokenizer);
    return createDeployedServices(variables, {
      ...parts,
      loadTokenizer,
      openThinTransport: openUntilEnd,
      writeLine,
    });
  } catch (cause) {
    throw new AgentMemoryError('internal', 'the function could not be started', { cause });
  }
}

/** AWS Lambda tells a process of its end where an extension is registered; its sessions would outlive it otherwise. */
function openUntilEnd(configuration: ThinConfiguration): SqlTransport {
  const transport = openThinTransport(configuration);
  process.once('SIGTERM', () => {
    void transport.close().finally(() => process.exit(0));
  });
  return transport;
}

/** A line of the function's log. */
export function writeLine(line: string): void {
  console.log(line);
}
