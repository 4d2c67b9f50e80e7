/** A whole card, or one whose end was cut off. Text in a card is escaped, so no card holds another. */
const CARD = /<context_card>[\s\S]*?<\/context_card>|<context_card>\s*<topics>[\s\S]*$/gu;

/**
 * A message without the context cards that it quotes: what a card says is stored already, and reading it again would
 * make memories of memories.
 */
export function withoutContextCards(content: string): string {
  return content.includes('<context_card>') ? content.replace(CARD, '').trim() : content;
}
