import { describe, expect, it } from 'vitest';
import { resolveThinConfig, type ThinConfig } from '../../lib/sql/node-oracledb/config.ts';
import { hostsOf, shortenRetries, usesServerPool } from '../../lib/sql/node-oracledb/connect-string.ts';

const ADDRESS = '(address=(protocol=tcps)(port=1522)(host=adb.example.com))';

const PASSWORD = { kind: 'password', user: 'memory', password: 'secret' } as const;

describe('a connect string', () => {
  it.each([
    ['db:1521/memory', ['db']],
    ['db/memory', ['db']],
    ['tcps://db.example.com:2484/memory:pooled?retry_count=3', ['db.example.com']],
    ['//db:1521/memory', ['db']],
    ['one,two:1521/memory', ['one', 'two']],
    ['one:1521,two:1522;three/memory', ['one', 'two', 'three']],
    ['[::1]:1521/memory', ['[::1]']],
    ['127.0.0.1/memory', ['127.0.0.1']],
    [`(DESCRIPTION=${ADDRESS}(address=( HOST = two )(port=1)))`, ['adb.example.com', 'two']],
    ['(description=(connect_data=(service_name=x)))', []],
    ['an_alias', ['an_alias']],
  ])('%s names the hosts %j', (connectString, hosts) => {
    expect(hostsOf(connectString)).toEqual(hosts);
  });

  it.each([
    ['db/memory', false],
    ['db/memory:pooled', true],
    ['db/memory:POOLED/instance', true],
    ['db/memory:dedicated', false],
    ['db/pooled', false],
    [`(description=${ADDRESS}(connect_data=(SERVER = POOLED)(service_name=x)))`, true],
  ])('%s asks for a server pool: %s', (connectString, expected) => {
    expect(usesServerPool(connectString)).toBe(expected);
  });

  it.each([
    ['(description= (retry_count=20)(retry_delay=3))', '(description= (retry_count=1)(retry_delay=1))'],
    ['(description=(RETRY_COUNT = 0))', '(description=(RETRY_COUNT = 0))'],
    [
      'db/x?connect_timeout=120&transport_connect_timeout=2',
      'db/x?connect_timeout=5&transport_connect_timeout=2',
    ],
    ['db:1521/retry', 'db:1521/retry'],
  ])('%s waits no longer than %s', (connectString, expected) => {
    expect(shortenRetries(connectString)).toBe(expected);
  });

  it.each(['scott/tiger-secret@db:1521/memory', 'scott/"tiger-secret"@alias', 'jdbc:oracle:thin:@db/memory'])(
    'is refused with a user, without repeating it: %s',
    (connectString) => {
      const resolve = () => resolveThinConfig({ connectString, credentials: PASSWORD });
      expect(resolve).toThrow(
        /^ORACLE_CONNECT_STRING: must not hold user and password, which have variables of their own$/,
      );
    },
  );

  it.each([
    ['db:1521/memory', false],
    ['//db/memory', false],
    ['tcp://db/memory', false],
    ['tcps://db/memory', true],
    ['alias', true],
    [`(description=${ADDRESS})`, true],
    ['(description=(address=(protocol = TCP)(host=db)(port=1521)))', false],
    [`(description=${ADDRESS}(address=(protocol=tcp)(host=db)(port=1521)))`, false],
    ['(description=(address=(host=db)(port=1521)))', false],
  ])('%s may carry a token and needs a wallet: %s', (connectString, expected) => {
    const withToken: ThinConfig = {
      connectString,
      credentials: { kind: 'token', accessToken: async () => 'a' },
    };
    const withWallet: ThinConfig = { connectString, credentials: PASSWORD, wallet: { content: 'PEM' } };
    for (const [config, variable] of [
      [withToken, 'ORACLE_TOKEN_LOCATION'],
      [withWallet, 'ORACLE_WALLET'],
    ] as const) {
      const resolving = expect(() => resolveThinConfig(config));
      if (expected) resolving.not.toThrow();
      else resolving.toThrow(`${variable}: needs TLS`);
    }
  });
});
