import { Scalar } from '@scalar/hono-api-reference';

/** Where the page is. */
export const DOCUMENTATION_PATH = '/docs';
/** Where the page loads its program from; nothing else outside the service is asked. */
export const PAGE_SOURCE = 'https://cdn.jsdelivr.net';

/** The page that shows the OpenAPI document to people. Its address is relative, so that a stage's prefix stays. */
export const documentationPage = Scalar({
  url: 'openapi.json',
  cdn: `${PAGE_SOURCE}/npm/@scalar/api-reference@1.76.0`,
  pageTitle: 'agent-memory-functions',
  telemetry: false,
  withDefaultFonts: false,
});
