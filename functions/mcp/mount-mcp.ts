import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Hono } from 'hono';
import { describeFailure } from '../http/logger.ts';
import { readJsonBody } from '../http/request-body.ts';
import { admitCaller, countRequest } from '../middleware/admit-caller.ts';
import type { AppEnvironment } from '../middleware/app-environment.ts';
import { startBudget } from '../request-budget.ts';
import type { Services } from '../services.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { MCP_TOOLS } from './mcp-tools.ts';

/** Where the endpoint is (HTTP API contract, Routes). */
export const MCP_PATH = '/mcp';

/**
 * Mounts the endpoint of the Model Context Protocol over streamable HTTP. Every request is authenticated and answered
 * by itself, without a session, so any instance of the service can take it.
 */
export function mountMcp(app: Hono<AppEnvironment>, services: Services): void {
  const tools = MCP_TOOLS.filter(({ name }) => services.mcpTools.includes(name));
  app.post(MCP_PATH, async (c) => {
    c.set('operationId', 'mcp');
    const caller = await admitCaller(c, services);
    const parsedBody = await readJsonBody(c.req.raw, services.bodyLimitBytes);
    for (let more = messagesOf(parsedBody) - 1; more > 0; more -= 1) await countRequest(c, services, caller);
    const { meter, requestId } = c.var;
    const call = { caller, requestId, meter, budget: startBudget(c.req.raw.signal, services) };
    const handler = createMcpHandler(() => createMcpServer(services, tools, call), {
      maxSubscriptions: 0,
      onerror: (error) =>
        services.logger.log('warn', 'mcp_failed', { requestId, error: describeFailure(error) }),
    });
    return wholeAnswer(await handler.fetch(c.req.raw, { parsedBody }));
  });
}

/** A batch is as many requests as it has messages: a caller with a rate gets no more of them for sending them together. */
function messagesOf(body: unknown): number {
  return Array.isArray(body) ? body.length : 1;
}

/** An event stream ends with its results. Read to its end here, the log and the trace tell what they cost. */
async function wholeAnswer(answer: Response): Promise<Response> {
  return answer.body === null ? answer : new Response(await answer.text(), answer);
}
