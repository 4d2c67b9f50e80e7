import { basicAuthorization } from '../../../lib/sql/ords/oauth-token.ts';
import { NotAsked, StatementRefused } from '../raw/raw-database.ts';
import { type Judgement, ordsOf, type Probe, type ProbeDesk, thinOf } from './probe.ts';

/** One failed log-in must be far from a lock; the next successful one clears it. */
const LEAST_ATTEMPTS = 5;

/** How many log-ins in a row may fail before the account is locked, as Oracle writes it. */
async function readLimit({ database }: ProbeDesk): Promise<string> {
  const sql = `SELECT p.limit AS attempt_limit FROM user_password_limits p
WHERE p.resource_name = 'FAILED_LOGIN_ATTEMPTS'`;
  const { rows } = await database.ask({ sql }).catch((cause: unknown) => {
    throw new NotAsked('the limit of this user is not to be seen', { cause });
  });
  return String(rows[0]?.attempt_limit);
}

/** @throws NotAsked where a wrong password could lock the account */
async function requireHarmless(desk: ProbeDesk): Promise<void> {
  if (desk.product.kind === 'emulator') return;
  const limit = await readLimit(desk);
  if (limit !== 'UNLIMITED' && !(Number(limit) >= LEAST_ATTEMPTS)) {
    throw new NotAsked(`a wrong password could lock the account: FAILED_LOGIN_ATTEMPTS is ${limit}`);
  }
}

async function judgeOrds(desk: ProbeDesk): Promise<Judgement> {
  const ords = ordsOf(desk);
  if (ords.username !== undefined) await requireHarmless(desk);
  const wrong = crypto.randomUUID();
  const authorization =
    ords.username === undefined ? `Bearer ${wrong}` : basicAuthorization(ords.username, wrong);
  const body = JSON.stringify({ statementText: 'SELECT 1 AS one FROM dual' });
  const { status, contentType } = await ords.post(body, authorization);
  await ords.ask({ sql: 'SELECT 1 AS one FROM dual' });
  return {
    holds: status === 401 || status === 403,
    answer: `HTTP ${status}, ${contentType}; then the right credentials work`,
  };
}

async function judgeThin(desk: ProbeDesk): Promise<Judgement> {
  const thin = thinOf(desk);
  if (!thin.hasPassword) throw new NotAsked('this user has a token and no password');
  await requireHarmless(desk);
  const refusal = await thin.connect({ password: crypto.randomUUID() }).then(
    () => undefined,
    (error: unknown) => error,
  );
  await thin.connect();
  if (!(refusal instanceof StatementRefused)) throw refusal ?? new Error('a wrong password was taken');
  return { holds: refusal.number === 1017, answer: `${refusal.message}; then the right password works` };
}

/** Question 16. */
export const WRONG_PASSWORD: Probe = {
  number: 16,
  question: 'What does a wrong password answer, and how many lock the account?',
  points: [
    {
      asks: 'how many failed log-ins lock the account',
      async tell(desk) {
        return `FAILED_LOGIN_ATTEMPTS of this user is ${await readLimit(desk)}`;
      },
    },
    {
      asks: 'one request with wrong credentials',
      assumes: 'HTTP 401 or 403, which is not tried again',
      place: 'lib/sql/ords/ords-http-error.ts: credentialsRefused',
      over: ['ords'],
      judge: judgeOrds,
    },
    {
      asks: 'one log-in with a wrong password',
      assumes: 'ORA-01017, which is not tried again',
      place: 'lib/sql/oracle-error.ts: 1017',
      over: ['thin'],
      judge: judgeThin,
    },
  ],
};
