import { invalidRequest } from '../errors/agent-memory-error.ts';

/**
 * The request of a call that takes an argument by itself and options beside it. Errors: `invalid_request` for options that
 * are no object, and for options that name the argument too: one of the two would be ignored.
 */
export function withOptions<Argument extends object, Options extends object>(
  argument: Argument,
  options: Options,
): Options & Argument {
  if (typeof options !== 'object' || options === null) throw invalidRequest('options', 'must be an object');
  const twice = Object.keys(argument).find((name) => Object.hasOwn(options, name));
  if (twice !== undefined) throw invalidRequest(twice, 'is not a known field of the options');
  return { ...options, ...argument };
}
