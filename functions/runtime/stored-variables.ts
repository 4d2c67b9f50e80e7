import { AwsClient } from 'aws4fetch';
import * as z from 'zod';
import { AgentMemoryError, invalidRequest } from '../../lib/errors/agent-memory-error.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Stored = Readonly<Record<string, string>>;

const pageSchema = z.object({
  Parameters: z.array(z.object({ Name: z.string(), Value: z.string() })),
  NextToken: z.string().nullish(),
});
const secretSchema = z.object({ SecretString: z.string() });
const storedSchema = z.record(z.string(), z.string());

const ANSWER_MILLISECONDS = 5_000;
const RETRIES = 2;

/**
 * The environment variables of a function of AWS Lambda with those that it keeps elsewhere, so that no secret is part of
 * its configuration: every parameter directly below `SSM_PARAMETER_PATH` of Systems Manager, named after its last part, then
 * the members of the JSON object that is the secret `SECRETS_MANAGER_SECRET`. The later wins. One request for each ten
 * parameters and one for the secret; without both variables none. A parameter may name the secret.
 *
 * @throws AgentMemoryError `unavailable` when a store does not answer, `internal` when it refuses, `invalid_request` naming
 *   the variable
 */
export async function readStoredVariables(environment: Variables): Promise<Variables> {
  const { SSM_PARAMETER_PATH: path } = environment;
  const parameters = path ? await readParameters(environment, path) : {};
  const { SECRETS_MANAGER_SECRET: secret } = { ...environment, ...parameters };
  return { ...environment, ...parameters, ...(secret ? await readSecret(environment, secret) : {}) };
}

/** `GetParametersByPath` (AWS Systems Manager API Reference): pages of ten, without the levels below. */
async function readParameters(environment: Variables, path: string): Promise<Stored> {
  const call = caller(environment, 'ssm', 'AmazonSSM.GetParametersByPath');
  const found: [string, string][] = [];
  let token: string | null | undefined;
  do {
    const page = pageSchema.parse(
      await call({
        Path: path,
        WithDecryption: true,
        MaxResults: 10,
        ...(token ? { NextToken: token } : {}),
      }),
    );
    found.push(
      ...page.Parameters.map(({ Name, Value }): [string, string] => [Name.split('/').at(-1) ?? Name, Value]),
    );
    token = page.NextToken;
  } while (token);
  if (found.length === 0) throw invalidRequest('SSM_PARAMETER_PATH', 'has no parameters below it');
  return Object.fromEntries(found);
}

/** `GetSecretValue` (AWS Secrets Manager API Reference). */
async function readSecret(environment: Variables, secret: string): Promise<Stored> {
  const call = caller(environment, 'secretsmanager', 'secretsmanager.GetSecretValue');
  const { SecretString } = secretSchema.parse(await call({ SecretId: secret }));
  return parseMembers(SecretString);
}

function parseMembers(text: string): Stored {
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    throw invalidRequest('SECRETS_MANAGER_SECRET', 'must hold a JSON object of texts');
  }
}

/** Calls an action of a service in the region of the function, with the function's own credentials. */
function caller(environment: Variables, service: string, target: string) {
  const region = required(environment, 'AWS_REGION');
  const url = environment.AWS_ENDPOINT_URL || `https://${service}.${region}.amazonaws.com/`;
  const client = new AwsClient({
    service,
    region,
    accessKeyId: required(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: required(environment, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: environment.AWS_SESSION_TOKEN,
    retries: RETRIES,
  });
  return async (body: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const response = await send(client, url, target, JSON.stringify(body));
    if (response.ok) return response.json();
    const code = response.status >= 500 || response.status === 429 ? 'unavailable' : 'internal';
    throw new AgentMemoryError(
      code,
      `the configuration could not be read: ${service} answered ${response.status}`,
    );
  };
}

async function send(client: AwsClient, url: string, target: string, body: string): Promise<Response> {
  try {
    return await client.fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': target },
      body,
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
  } catch (cause) {
    throw new AgentMemoryError('unavailable', 'the configuration could not be read', { cause });
  }
}

function required(environment: Variables, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw invalidRequest(name, 'is required');
  return value;
}
