export interface XmlElement {
  readonly name: string;
  /** Text directly in the element, entities resolved. */
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#13;': '\r',
};
const NAME = /^[a-z_]+$/;
const LEGAL_TEXT = /^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

function readText(text: string): string {
  if (!LEGAL_TEXT.test(text)) throw new Error('The text holds a character that XML forbids.');
  if (text.includes(']]>')) throw new Error('The text holds "]]>".');
  return text.replace(/&[^;]*;?/g, (entity) => {
    const character = ENTITIES[entity];
    if (character === undefined) throw new Error(`${entity} is no entity.`);
    return character;
  });
}

/**
 * Reads a document of elements without attributes, strictly: one root, every element closed, in order of their ends.
 * Throws when it is not well-formed.
 */
export function readXml(document: string): readonly XmlElement[] {
  const closed: XmlElement[] = [];
  const open: { readonly name: string; text: string }[] = [];
  let rest = document;
  while (rest !== '') {
    const start = rest.indexOf('<');
    const text = readText(start < 0 ? rest : rest.slice(0, start));
    const parent = open.at(-1);
    if (parent !== undefined) parent.text += text;
    else if (text !== '') throw new Error('There is text outside the root.');
    if (start < 0) break;
    const end = rest.indexOf('>', start);
    const tag = rest.slice(start + 1, end);
    rest = rest.slice(end + 1);
    if (tag.startsWith('/')) {
      const element = open.pop();
      if (element?.name !== tag.slice(1)) throw new Error(`<${tag}> closes nothing.`);
      closed.push(element);
    } else {
      if (!NAME.test(tag)) throw new Error(`<${tag}> is no element.`);
      if (open.length === 0 && closed.length > 0) throw new Error('There are two roots.');
      open.push({ name: tag, text: '' });
    }
  }
  if (open.length > 0) throw new Error('An element is not closed.');
  return closed;
}
