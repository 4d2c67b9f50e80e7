import type { Context, Next } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { DOCUMENTATION_PATH, PAGE_SOURCE } from '../service/documentation-page.ts';
import type { AppEnvironment } from './app-environment.ts';

/** Answers of the API are data: a browser runs, frames and keeps nothing of them. */
const forData = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
});

/** The page of the documentation loads its program from one place, and styles itself. */
const forPage = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'unsafe-inline'", PAGE_SOURCE],
    styleSrc: ["'unsafe-inline'", PAGE_SOURCE],
    fontSrc: [PAGE_SOURCE, 'data:'],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
});

/** Gives every answer the headers that tell a browser what it may do with it (OWASP HTTP Headers Cheat Sheet). */
export async function secureAnswers(c: Context<AppEnvironment>, next: Next): Promise<void> {
  if (c.req.path === DOCUMENTATION_PATH) {
    await forPage(c, next);
    return;
  }
  await forData(c, next);
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
}
