import { describe, expect, it } from 'vitest';
import { rawPath, readPathParameters } from '../../functions/http/request-target.ts';
import {
  correctEvent,
  type HttpEvent,
  refuseDecodedPath,
  refuseDotSegments,
} from '../../functions/runtime/lambda-event.ts';
import {
  type ClientRequest,
  DECODED_AWAY,
  EVENT_KINDS,
  httpApiEvent,
  restApiEvent,
} from './lambda-events.ts';

const ROUTE = '/v1/threads/{threadId}/messages';
const ODD_IDS = ['a/b', '日本', 'x%2Fy', '100%', 'q?x=1#y', 'a b+c', '😀', '...', ';:@&=$,', '%25'];

const pathOf = (event: HttpEvent) => ('rawPath' in event ? event.rawPath : event.path);

function requestFor(id: string): ClientRequest {
  const target = `/v1/threads/${encodeURIComponent(id)}/messages?start=1`;
  return { method: 'GET', target, route: ROUTE };
}

describe.each(EVENT_KINDS)('an event of a %s', (kind, makeEvent) => {
  it.each(ODD_IDS)('carries the id %s unchanged, or is refused', (id) => {
    const event = makeEvent(requestFor(id));
    if (kind === 'HTTP API' && DECODED_AWAY.test(id)) {
      expect(() => refuseDecodedPath(event)).toThrow(/^threadId: must not have/);
      return;
    }
    refuseDecodedPath(event);
    const path = rawPath(`https://api.example.com${pathOf(correctEvent(event))}`);
    expect(readPathParameters(ROUTE, path)).toEqual({ threadId: id });
  });

  it.each(['.', '..', '%2e%2E'])('is refused with the segment %s', (segment) => {
    const request = { method: 'GET', target: `/v1/threads/${segment}/messages`, route: ROUTE };
    expect(() => refuseDotSegments(correctEvent(makeEvent(request)))).toThrow(/"\." or "\.\."/);
  });

  it('loses a body that a GET cannot carry', () => {
    const event = correctEvent(makeEvent({ ...requestFor('a'), body: '{}' }));
    expect(event.body).toBeNull();
  });
});

describe('the path of an event', () => {
  it('loses the base path of a custom domain', () => {
    const event = { ...restApiEvent(requestFor('a/b')), path: '/memory/prod/v1/threads/a%2Fb/messages' };
    expect(pathOf(correctEvent(event))).toBe('/v1/threads/a%2Fb/messages');
  });

  it('is built from the parameters for version 1.0 of an HTTP API, which decodes it', () => {
    const event = restApiEvent(requestFor('a/b'));
    const version1 = {
      ...event,
      version: '1.0',
      path: '/v1/threads/a/b/messages',
      pathParameters: { threadId: 'a/b' },
    };
    expect(pathOf(correctEvent(version1))).toBe('/v1/threads/a%2Fb/messages');
  });

  it.each(['a/b', 'x%2Fy'])('is refused for version 1.0 of an HTTP API with the id %s', (threadId) => {
    const version1 = { ...restApiEvent(requestFor('a')), version: '1.0', pathParameters: { threadId } };
    expect(() => refuseDecodedPath(version1)).toThrow(/^threadId: must not have/);
  });

  it.each(['$default', 'ANY /v1/{proxy+}'])(
    'is refused for the route %s with what was decoded',
    (routeKey) => {
      const decoded = { ...httpApiEvent(requestFor('a')), routeKey, rawPath: '/v1/threads/100%/messages' };
      expect(() => refuseDecodedPath(decoded)).toThrow(/^path: must not have/);
      refuseDecodedPath({ ...decoded, rawPath: '/v1/threads/日本/messages' });
    },
  );

  it('is encoded again for the default route of an HTTP API', () => {
    const event = { ...httpApiEvent(requestFor('日本 ?')), routeKey: '$default' };
    const encoded = `/v1/threads/${encodeURIComponent('日本 ?')}/messages`;
    expect(pathOf(correctEvent(event))).toBe(encoded);
  });
});
