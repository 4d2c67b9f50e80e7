import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { createBareApp } from './bare-app.ts';
import { createOpenApiValidator } from './openapi-validator.ts';

const { app } = createBareApp();

describe('the OpenAPI document', () => {
  it('is a valid document of OpenAPI 3.1', async () => {
    const document = await (await app.request('/openapi.json')).json();
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  });

  it('declares the answers of operations, and no others', async () => {
    const validator = createOpenApiValidator();
    const answer = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);
    await validator.check('DELETE', '/v1/memories/a', answer({ deleted: 1 }));
    await expect(validator.check('DELETE', '/v1/memories/a', answer({ deleted: 'one' }))).rejects.toThrow(
      'must be integer',
    );
    await expect(validator.check('DELETE', '/v1/memories/a', answer({}, { status: 299 }))).rejects.toThrow(
      'does not declare it',
    );
    expect([...validator.checked]).toEqual([[200, 1]]);
  });
});

describe('the documentation page', () => {
  it('shows the document, and loads its program from one place', async () => {
    const response = await app.request('/docs');
    const page = await response.text();
    expect(response.headers.get('Content-Type')).toContain('text/html');
    expect(page).toContain('openapi.json');
    const sources = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(sources).toHaveLength(1);
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    for (const source of sources) expect(policy).toContain(new URL(source).origin);
  });
});

describe('on this computer without authentication', () => {
  const open = createBareApp({ loopbackOnly: true }).app;
  const status = async (host: string) =>
    (await open.request('/health/live', { headers: { Host: host } })).status;

  it.each(['localhost', 'localhost:8787', '127.0.0.1:8787', '127.0.0.2', '[::1]:8787', 'LOCALHOST:1'])(
    'the service answers to %s',
    async (host) => expect(await status(host)).toBe(200),
  );

  it.each([
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1:1',
  ])('it refuses %s, which a page on the web may have made point here', async (host) =>
    expect(await status(host)).toBe(403),
  );

  it('answers to any name elsewhere', async () => {
    expect((await app.request('/health/live', { headers: { Host: 'memory.example' } })).status).toBe(200);
  });
});

describe('answers to browsers', () => {
  it.each(['/v1/threads', '/health/live', '/nothing', '/openapi.json'])(
    'of %s run nothing, and are kept nowhere',
    async (path) => {
      const { headers } = await app.request(path);
      expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    },
  );
});
