import type { StoredMessage } from '../store/messages/stored-message.ts';

/** Messages as plain text, one `role: content` after the other. */
export function formatTranscript(messages: readonly Pick<StoredMessage, 'role' | 'content'>[]): string {
  return messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
}
