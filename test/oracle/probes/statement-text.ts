import { readMigrations } from '../../../infra/schema-migrations.ts';
import { renderBlock } from '../../../lib/schema/render-migration.ts';
import { scriptOf } from '../../../lib/schema/schema-plan.ts';
import { rawText } from '../raw/raw-database.ts';
import { type InformingPoint, type Judgement, ordsOf, type Probe, type ProbeDesk } from './probe.ts';

/** Texts that `checkStatementText` refuses to send: what they would have done. */
function refusedByUs(asks: string, sql: string): InformingPoint {
  return {
    asks: `${asks} (never sent by this program)`,
    async tell({ database }) {
      return JSON.stringify((await database.ask({ sql })).rows);
    },
  };
}

async function judgeRepeatedBind({ database }: ProbeDesk): Promise<Judgement> {
  const sql = "SELECT 1 AS found FROM dual WHERE :word = 'x' AND :word || :word = 'xx'";
  const { rows } = await database.ask({ sql, binds: { word: rawText('x') } });
  return { holds: rows.length === 1, answer: `${rows.length} row for a name that stands in three places` };
}

async function judgeQuotedLiteral({ database }: ProbeDesk): Promise<Judgement> {
  const literal = 'a; b := :c / it\'s "d"';
  const { outs } = await database.ask({
    sql: `DECLARE\n  l_text VARCHAR2(100) := q'[${literal}]';\nBEGIN\n  :copy_out := l_text;\nEND;`,
    outs: { copy_out: 'VARCHAR2' },
  });
  return { holds: outs.copy_out === literal, answer: JSON.stringify(outs.copy_out) };
}

/** The block of infra/sql/purge_job.sql, with the job switched off. */
async function judgeNamedArguments({ database, names }: ProbeDesk): Promise<Judgement> {
  const script = scriptOf(readMigrations(), 'purge_job');
  if (script === undefined) throw new Error('there is no purge job');
  const block = renderBlock(script, { names, vectorDimensions: 4, searchIndexSync: 'on_commit' });
  await database.ask({ sql: block.replace('enabled => TRUE', 'enabled => FALSE') });
  const { rows } = await database.ask({
    sql: 'SELECT j.enabled AS enabled FROM user_scheduler_jobs j WHERE j.job_name = :job_name',
    binds: { job_name: rawText(names.purgeJob) },
  });
  return { holds: rows.length === 1, answer: `${rows.length} job: ${JSON.stringify(rows)}` };
}

async function tellQuestionMarks(desk: ProbeDesk): Promise<string> {
  const { status, text } = await ordsOf(desk).post(
    JSON.stringify({
      statementText: 'SELECT ? AS one, ? AS two FROM dual',
      binds: [
        { index: 1, data_type: 'VARCHAR2', value: 'first' },
        { index: 2, data_type: 'VARCHAR2', value: 'second' },
      ],
      responseFormat: { resultSetMetaData: false, statementText: false, binds: false, response: false },
    }),
  );
  return `HTTP ${status}: ${text.slice(0, 400)}`;
}

/** Question 5. */
export const STATEMENT_TEXT: Probe = {
  number: 5,
  question: 'Is anything in a statement text read as a command, and how are repeated binds taken?',
  points: [
    {
      asks: 'one named bind in several places of a query',
      assumes: 'every place gets the value',
      place: 'lib/store/search/vector-index-candidates.ts: index_rows',
      judge: judgeRepeatedBind,
    },
    {
      asks: "a literal q'[…]' with ; : / and quotes in a block",
      assumes: 'it is text and nothing else',
      place: "infra/sql/purge_job.sql: q'[",
      judge: judgeQuotedLiteral,
    },
    {
      asks: 'arguments by name (=>) and a block inside a literal: the purge job, switched off',
      assumes: 'the job is there',
      place: 'infra/sql/purge_job.sql: job_action =>',
      judge: judgeNamedArguments,
    },
    { asks: 'two ? with binds by index', over: ['ords'], tell: tellQuestionMarks },
    refusedByUs('an & in a literal', "SELECT 'a&b' AS value FROM dual"),
    refusedByUs('a comment to the end of the line', "SELECT 'a' AS value -- comment\nFROM dual"),
    refusedByUs('a line that starts with @', "SELECT 'a\n@b' AS value FROM dual"),
    refusedByUs('a line that starts with /', 'SELECT 4\n/ 2 AS value FROM dual'),
    refusedByUs('a blank line', "SELECT 'a' AS value\n\nFROM dual"),
  ],
};
