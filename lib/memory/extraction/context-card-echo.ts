const TAG = /<(?<closing>\/?)context_card>/gu;
/** A card whose end was cut off. */
const CUT_OFF = /<context_card>\s*<topics>/u;

/**
 * A message without the context cards that it quotes: what a card says is stored already, and reading it again would
 * make memories of memories. Text in a card is escaped, so a card begins at the last tag before the one that closes it.
 */
export function withoutContextCards(content: string): string {
  if (!content.includes('<context_card>')) return content;
  let kept = '';
  let position = 0;
  let opening: number | undefined;
  for (const { 0: tag, index, groups } of content.matchAll(TAG)) {
    if (groups?.closing === '') opening = index;
    else if (opening !== undefined) {
      kept += content.slice(position, opening);
      position = index + tag.length;
      opening = undefined;
    }
  }
  const rest = content.slice(position);
  const end = rest.search(CUT_OFF);
  return `${kept}${end < 0 ? rest : rest.slice(0, end)}`.trim();
}
