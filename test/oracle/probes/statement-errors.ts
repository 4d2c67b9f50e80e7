import { OracleDatabaseError } from '../../../lib/sql/oracle-database-error.ts';
import { fromOracleError } from '../../../lib/sql/oracle-error.ts';
import { type RawStatement, StatementRefused } from '../raw/raw-database.ts';
import { type Judgement, ordsOf, type Probe, type ProbeDesk } from './probe.ts';

const NOT_FOUND = { rows: 1, otherwise: 'not_found', message: 'the probe was not found' } as const;

async function refusalOf({ database }: ProbeDesk, statement: RawStatement): Promise<StatementRefused> {
  try {
    await database.ask(statement);
  } catch (error) {
    if (error instanceof StatementRefused) return error;
    throw error;
  }
  throw new Error('the database took the statement');
}

const told = (refusal: StatementRefused): string => refusal.told.split('\n').slice(0, 2).join(' / ');

async function judgeMissingTable(desk: ProbeDesk): Promise<Judgement> {
  const refusal = await refusalOf(desk, { sql: `SELECT 1 AS one FROM ${desk.name('MISSING')}` });
  return { holds: refusal.number === 942, answer: told(refusal) };
}

async function judgeRaised(desk: ProbeDesk): Promise<Judgement> {
  const sql = `BEGIN\n  RAISE_APPLICATION_ERROR(-20404, '${NOT_FOUND.message}');\nEND;`;
  const refusal = await refusalOf(desk, { sql });
  const { number, message: text } = refusal;
  const error = fromOracleError({ number, text, statement: 'probe', expectations: [NOT_FOUND] });
  return {
    holds: error.code === NOT_FOUND.otherwise && error.message === NOT_FOUND.message,
    answer: told(refusal),
  };
}

async function judgeConstraint(desk: ProbeDesk): Promise<Judgement> {
  const insert = `INSERT INTO ${desk.name('ERROR')} (id) VALUES (1)`;
  const refusal = await refusalOf(desk, { sql: `BEGIN\n  ${insert};\n  ${insert};\nEND;` });
  const { constraint } = new OracleDatabaseError('ORA', refusal.number, refusal.message, 'probe');
  return { holds: refusal.number === 1 && constraint === desk.name('ERROR_PK'), answer: told(refusal) };
}

async function tellHttp(desk: ProbeDesk, body: string): Promise<string> {
  const { status, contentType, text } = await ordsOf(desk).post(body);
  return `HTTP ${status}, ${contentType}: ${text.slice(0, 200)}`;
}

/** Question 1. */
export const STATEMENT_ERRORS: Probe = {
  number: 1,
  question: 'How are errors of statements, raised errors, malformed requests and wrong binds reported?',
  async prepare({ database, name }) {
    const table = name('ERROR');
    await database.ask({ sql: `CREATE TABLE ${table} (id NUMBER(1) CONSTRAINT ${table}_PK PRIMARY KEY)` });
  },
  points: [
    {
      asks: 'a table that does not exist',
      assumes: 'the answer has number 942, with or without a sign, or ORA-00942 in its text',
      place: 'lib/sql/oracle-error.ts: fromOracleError',
      judge: judgeMissingTable,
    },
    {
      asks: 'RAISE_APPLICATION_ERROR in a block',
      assumes: 'number 20404, and the message is the first line of the text',
      place: 'lib/sql/oracle-error.ts: failedExpectation',
      judge: judgeRaised,
    },
    {
      asks: 'a duplicate key in a block',
      assumes: 'number 1, and the text names the constraint in parentheses',
      place: 'lib/sql/oracle-database-error.ts: constraint',
      judge: judgeConstraint,
    },
    {
      asks: 'a request that is not JSON',
      over: ['ords'],
      tell: (desk) => tellHttp(desk, '{"statementText": '),
    },
    {
      asks: 'a number bind whose value is text',
      over: ['ords'],
      tell: (desk) =>
        tellHttp(
          desk,
          JSON.stringify({
            statementText: 'SELECT :amount AS amount FROM dual',
            binds: [{ name: 'amount', data_type: 'NUMBER', value: 'abc' }],
          }),
        ),
    },
    {
      asks: 'a placeholder without a bind',
      async tell({ database }) {
        const { rows } = await database.ask({ sql: 'SELECT :absent AS absent FROM dual' });
        return JSON.stringify(rows);
      },
    },
  ],
};
