import * as z from 'zod';
import { type OperationContract, takesBody } from '../../lib/schemas/operation-contract.ts';
import type { ReceivedInput } from '../operation.ts';

const partSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  $defs: z.record(z.string(), z.unknown()).default({}),
});
type Part = z.output<typeof partSchema>;

/** A tool takes the fields of its operation as one flat object, wherever HTTP has them. */
export interface ToolInput {
  /** JSON Schema of the arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The arguments as the operation receives them, not yet checked. A field that it does not know stays unknown. */
  receive(given: Readonly<Record<string, unknown>>): ReceivedInput;
}

/** What a tool for an operation takes, made from the contract. */
export function toolInput(contract: OperationContract): ToolInput {
  const parameters = describe(contract.parameters);
  const query = describe(contract.query);
  const body = takesBody(contract) ? describe(contract.body) : partSchema.parse({});
  const parts = [parameters, query, body];
  return {
    schema: {
      type: 'object',
      properties: Object.assign({}, ...parts.map((part) => part.properties)),
      required: parts.flatMap((part) => part.required),
      additionalProperties: false,
      $defs: Object.assign({}, ...parts.map((part) => part.$defs)),
    },
    receive(given) {
      const inPath = (name: string) => Object.hasOwn(parameters.properties, name);
      const inQuery = (name: string) => Object.hasOwn(query.properties, name);
      const rest = pick(given, (name) => !inPath(name) && !inQuery(name));
      return {
        parameters: pick(given, inPath),
        query: { ...asWritten(pick(given, inQuery)), ...(takesBody(contract) ? {} : rest) },
        body: takesBody(contract) ? rest : undefined,
      };
    },
  };
}

function describe(schema: z.ZodType): Part {
  return partSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function pick(given: Readonly<Record<string, unknown>>, isWanted: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)));
}

/** Query parameters are text; a tool has numbers and truth values where they mean that. */
function asWritten(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}
