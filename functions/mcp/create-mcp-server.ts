import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { describeFailure } from '../http/logger.ts';
import { problemBody } from '../http/problem.ts';
import { hasAccess, requireAccess } from '../middleware/authentication.ts';
import { type OperationCall, runOperation } from '../run-operation.ts';
import type { Services } from '../services.ts';
import type { McpTool } from './mcp-tools.ts';
import { type ToolInput, toolInput } from './tool-input.ts';

/** Who asks, and in which request. */
export type McpCall = Omit<OperationCall, 'operationId' | 'idempotency'>;

const INFORMATION = { name: 'agent-memory-functions', version: '1' };
const INSTRUCTIONS =
  'Long-term memory of agents. Create a thread for a conversation and add its messages; memories are extracted from ' +
  'them. Before answering, get the context card of the thread or search.';

const inputs = new Map<McpTool, ToolInput>();

/**
 * The MCP server of one request. It has the tools that the service offers and that the caller's scopes allow; another
 * one is as unknown as one that does not exist.
 */
export function createMcpServer(services: Services, tools: readonly McpTool[], call: McpCall): McpServer {
  const server = new McpServer(INFORMATION, { instructions: INSTRUCTIONS });
  for (const tool of tools) {
    if (!hasAccess(call.caller, tool.operation.contract.access)) continue;
    const input = inputOf(tool);
    server.registerTool(tool.name, describeTool(tool, input), (given) =>
      runTool(services, tool, call, given),
    );
  }
  return server;
}

function inputOf(tool: McpTool): ToolInput {
  const input = inputs.get(tool) ?? toolInput(tool.operation.contract);
  inputs.set(tool, input);
  return input;
}

function describeTool({ description, destructive, operation }: McpTool, { schema }: ToolInput) {
  const { contract } = operation;
  return {
    title: contract.summary,
    description,
    inputSchema: uncheckedSchema(schema),
    annotations: { readOnlyHint: contract.readOnly, destructiveHint: destructive, openWorldHint: false },
  };
}

/** The operation checks its input itself, so that a wrong field is told as over HTTP. */
function uncheckedSchema(
  schema: Readonly<Record<string, unknown>>,
): StandardSchemaWithJSON<Readonly<Record<string, unknown>>> {
  return {
    '~standard': {
      version: 1,
      vendor: INFORMATION.name,
      validate: (value) => ({ value: typeof value === 'object' && value !== null ? { ...value } : {} }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

async function runTool(
  services: Services,
  tool: McpTool,
  call: McpCall,
  given: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { operation } = tool;
  try {
    const accepted = operation.accept(inputOf(tool).receive(given));
    requireAccess(call.caller, accepted.additionalAccess);
    const answer = await runOperation(services, accepted, { ...call, operationId: operation.contract.id });
    return toolResult(answer, false);
  } catch (error) {
    const problem = problemBody(error, call.requestId);
    if (problem.status >= 500) {
      const fields = { requestId: call.requestId, operation: operation.contract.id, status: problem.status };
      services.logger.log('error', 'tool_failed', { ...fields, error: describeFailure(error) });
    }
    return toolResult(problem, true);
  }
}

function toolResult(answer: unknown, isError: boolean): CallToolResult {
  const text = JSON.stringify(answer);
  const structuredContent: Record<string, unknown> = JSON.parse(text);
  return { content: [{ type: 'text', text }], structuredContent, ...(isError ? { isError } : {}) };
}
