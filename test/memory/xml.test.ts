import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORD_TYPES } from '../../lib/schemas/record.ts';
import { formatRecordLines } from '../../lib/schemas/values/record-format.ts';
import { renderContextCard } from '../../lib/schemas/values/render-context-card.ts';
import { escapeXml } from '../../lib/schemas/values/xml.ts';
import { cardParts, messageOf, resultOf } from './card-parts.ts';
import { readXml } from './read-xml.ts';

describe('escapeXml (contract §9.2)', () => {
  it.each([
    ['markup', `<a b="c" d='e'>&amp;`, `&lt;a b="c" d='e'&gt;&amp;amp;`],
    ['the end of a CDATA section', 'x]]>y', 'x]]&gt;y'],
    ['control characters that XML forbids', 'a\u0000b\u0008c\u001Fd\u007F', 'a\uFFFDb\uFFFDc\uFFFDd\u007F'],
    ['tab, line feed and carriage return', 'a\tb\nc\rd', 'a\tb\nc&#13;d'],
    ['non-characters and lone surrogates', '\uFFFE\uFFFF\uD800x\uDC00', '\uFFFD\uFFFD\uFFFDx\uFFFD'],
    ['characters beyond the basic plane', '😀 日本', '😀 日本'],
  ])('%s', (_name, text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '&', ']]>', '</content>', '\u0000', '\r', '\uD800', '"', "'"),
    maxLength: 20,
  }),
);

/** Text as it comes out of the XML: what XML forbids is U+FFFD. */
function readable(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

describe('well-formedness (contract §9.2)', () => {
  it('holds for every card, and every text comes back', () => {
    const anyCard = fc.record({
      summary: anyText,
      topics: fc.array(anyText, { maxLength: 3 }),
      contents: fc.array(fc.tuple(fc.constantFrom(...RECORD_TYPES), anyText), { maxLength: 3 }),
      messages: fc.array(fc.tuple(anyText, anyText), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(anyCard, ({ summary, topics, contents, messages }) => {
        const card = renderContextCard({
          summary,
          topics,
          relevantResults: contents.map(([recordType, content]) => resultOf(recordType, content)),
          recentMessages: messages.map(([role, content]) => messageOf(role, content)),
        });
        fc.pre(card !== '');
        const texts = readXml(card)
          .filter((element) => ['topic', 'role', 'content'].includes(element.name))
          .map((element) => element.text);
        const expected = [
          ...topics,
          ...contents.flatMap(([recordType, content]) =>
            recordType === 'message' ? ['user', content] : [content],
          ),
          ...messages.flat(),
        ];
        expect(texts).toEqual(expected.map(readable));
      }),
      { numRuns: 500 },
    );
  });

  it('holds for every single result', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RECORD_TYPES), anyText, (recordType, content) => {
        const timestamp = '2026-01-01T00:00:00.000Z';
        const lines = formatRecordLines({ recordType, timestamp, content, role: 'user' }, '');
        const elements = readXml(lines.join('\n'));
        expect(elements.at(-1)?.name).toBe(recordType);
        expect(elements.find((element) => element.name === 'content')?.text).toBe(readable(content));
      }),
    );
  });
});

describe('renderContextCard (contract §9.2)', () => {
  it('renders all parts in their order', () => {
    expect(renderContextCard(cardParts())).toBe(`<context_card>
  <topics>
    <topic>travel</topic>
    <topic>food &amp; wine</topic>
  </topics>
  <summary>
    Ana plans a trip.
  </summary>
  <relevant_information>
    <preference>
      <timestamp>2026-01-01T00:00:00.000Z</timestamp>
      <content>Ana likes &lt;tea&gt;</content>
    </preference>
    <fact>
      <timestamp>2026-01-01T00:00:00.000Z</timestamp>
      <content>Ana lives in Lisbon</content>
    </fact>
  </relevant_information>
  <recent_messages>
    <message>
      <timestamp>2026-01-01T00:00:00.000Z</timestamp>
      <role>user</role>
      <content>Where to?</content>
    </message>
    <message>
      <timestamp>2026-01-01T00:00:00.000Z</timestamp>
      <role>assistant</role>
      <content>Porto.</content>
    </message>
  </recent_messages>
</context_card>`);
  });

  it('is an empty string for an empty card', () => {
    expect(renderContextCard({ summary: '', topics: [], relevantResults: [], recentMessages: [] })).toBe('');
  });

  it('shows empty parts as empty elements', () => {
    const card = renderContextCard({ summary: 'ctx', topics: [], relevantResults: [], recentMessages: [] });
    expect(card).toBe(`<context_card>
  <topics></topics>
  <summary>
    ctx
  </summary>
  <relevant_information></relevant_information>
  <recent_messages></recent_messages>
</context_card>`);
  });

  it('shows topics without a summary', () => {
    const card = renderContextCard({ summary: '', topics: ['tea'], relevantResults: [], recentMessages: [] });
    expect(card).toContain('  <topics>\n    <topic>tea</topic>\n  </topics>\n  <summary></summary>');
  });
});
