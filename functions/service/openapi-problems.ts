import type { ErrorCode } from '../../lib/errors/agent-memory-error.ts';
import {
  type OperationContract,
  takesBody,
  takesIdempotencyKey,
} from '../../lib/schemas/operation-contract.ts';
import { STATUS_OF_CODE } from '../http/problem.ts';

/** Codes that every operation can answer; those of its body and its path come with them. */
const GENERAL_CODES: readonly ErrorCode[] = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'unsupported',
  'internal',
  'unavailable',
  'timeout',
];
/** A key of another request, or of one that still runs. */
const IDEMPOTENCY_CODES: readonly ErrorCode[] = ['idempotency_mismatch', 'conflict'];
const BODY_CODES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** The error answers of an operation by status; their examples are components, one for each code. */
export function describeProblems(contract: OperationContract): Readonly<Record<string, unknown>> {
  const codes = new Set([
    ...GENERAL_CODES,
    ...(takesBody(contract) ? BODY_CODES : []),
    ...(takesIdempotencyKey(contract) ? IDEMPOTENCY_CODES : []),
    ...contract.errors,
  ]);
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF_CODE[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { description: group.join(', '), content: { 'application/problem+json': describeProblem(group) } },
    ]),
  );
}

function describeProblem(codes: readonly ErrorCode[]): Readonly<Record<string, unknown>> {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return { schema: { $ref: '#/components/schemas/Problem' }, examples: Object.fromEntries(examples) };
}
