import { defineOperation } from '../../functions/operation.ts';
import type { HttpConnection } from '../../lib/client/http-connection.ts';
import { getMessagesContract } from '../../lib/schemas/operations/messages.ts';
import { deleteThreadContract, getThreadContract } from '../../lib/schemas/operations/threads.ts';

/** What must not compile: `tsc` fails when one of these lines does. Nothing runs it. */
export function mustNotCompile(connection: HttpConnection): readonly unknown[] {
  const threadId = 'thread-1';
  return [
    // @ts-expect-error an answer of another shape
    defineOperation(deleteThreadContract, async () => ({ deleted: 'one' })),
    // @ts-expect-error a parameter that the path does not have
    defineOperation(deleteThreadContract, async (_, { parameters }) => ({ deleted: parameters.memoryId })),
    // @ts-expect-error a missing path parameter
    connection.call(getThreadContract, { parameters: {}, query: {}, body: undefined }),
    connection.call(getMessagesContract, {
      parameters: { threadId },
      // @ts-expect-error an unknown query parameter
      query: { limit: '5' },
      body: undefined,
    }),
    // @ts-expect-error a body where there is none
    connection.call(getThreadContract, { parameters: { threadId }, query: {}, body: {} }),
  ];
}
