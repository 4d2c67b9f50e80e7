import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';
import { type Migration, type MigrationValues, renderBlock } from './render-migration.ts';
import { scriptOf } from './schema-plan.ts';

export interface PurgeJobOptions extends CallOptions, MigrationValues {
  readonly transport: SqlTransport;
  readonly migrations: readonly Migration[];
  readonly warn?: (message: string) => void;
}

const NO_SUCH_JOB = 27475;
const JOB_EXISTS = 27477;
const NO_JOB_PRIVILEGE = 27486;

/**
 * Creates the job that removes expired records every day. A database user without CREATE JOB gets a warning and no job:
 * records expire all the same, and the purge of `functions/jobs` removes them (contract §11).
 */
export async function createPurgeJob(options: PurgeJobOptions): Promise<void> {
  const script = scriptOf(options.migrations, 'purge_job');
  if (script === undefined) return;
  try {
    await options.transport.executeDdl(renderBlock(script, options), { signal: options.signal });
  } catch (error) {
    const number = oracleErrorOf(error)?.number;
    if (number === JOB_EXISTS) return;
    if (number !== NO_JOB_PRIVILEGE) throw error;
    options.warn?.(
      `the database user may not create jobs, so ${options.names.purgeJob} was not created: run the scheduled purge of this service, or grant CREATE JOB and apply the schema again`,
    );
  }
}

/** Gives the job what it has to do in the present version of the schema. */
export async function replacePurgeJob(options: PurgeJobOptions): Promise<void> {
  const drop = `BEGIN\n  DBMS_SCHEDULER.DROP_JOB(job_name => '${options.names.purgeJob}', force => TRUE);\nEND;`;
  try {
    await options.transport.executeDdl(drop, { signal: options.signal });
  } catch (error) {
    if (oracleErrorOf(error)?.number !== NO_SUCH_JOB) throw error;
  }
  await createPurgeJob(options);
}
