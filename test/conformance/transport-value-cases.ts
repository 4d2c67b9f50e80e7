import { expect } from 'vitest';
import { addNote, countNotes, readNote, type TransportCase, WHOLE_NOTE } from './transport-note.ts';

const EMOJI = '\u{1F600}';

const HOSTILE_VALUES = [
  "'; DROP TABLE conformance_note; --",
  "' OR '1'='1",
  '&prefix. &x @y :note_id :now /* */ --',
  '@script\n/\n!host\n\nEND;',
  '") DELETE FROM conformance_note',
  "q'[x]'",
  '\\ % _ {} $ "',
];

/** What goes in comes out, and is never SQL. */
export const VALUE_CASES: Readonly<Record<string, TransportCase>> = {
  'every bind type comes back as it went in': async (transport) => {
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    expect(await readNote(transport, 'n1')).toEqual(WHOLE_NOTE);
  },
  'every bind type takes NULL': async (transport) => {
    const nothing = { content: null, label: null, amount: null, data: null, flagged: null, seen_at: null };
    await transport.executeAtomic(addNote(nothing));
    expect(await readNote(transport, 'n1')).toEqual({ note_id: 'n1', ...nothing });
  },
  'empty text and an empty CLOB are NULL': async (transport) => {
    await transport.executeAtomic(addNote({ content: '', label: '' }));
    expect(await readNote(transport, 'n1')).toEqual({ ...WHOLE_NOTE, content: null, label: null });
  },
  'a four-byte character is one character': async (transport) => {
    const label = EMOJI.repeat(200);
    await transport.executeAtomic(addNote({ content: EMOJI, label, data: { [EMOJI]: EMOJI } }));
    expect(await readNote(transport, 'n1')).toMatchObject({
      content: EMOJI,
      label,
      data: { [EMOJI]: EMOJI },
    });
  },
  'numbers keep their value': async (transport) => {
    for (const amount of [0, -1, 0.25, 9_007_199_254_740_991, -9_007_199_254_740_991, 1e-7]) {
      await transport.executeAtomic(addNote({ note_id: `n${amount}`, amount }));
      expect((await readNote(transport, `n${amount}`))?.amount).toBe(amount);
    }
  },
  'a CLOB of 32 KB and one of 1 MB come back whole': async (transport) => {
    for (const length of [32_767, 32_768, 1_000_000]) {
      const content = `${'0123456789ü'.repeat(length / 11)}${EMOJI}`;
      await transport.executeAtomic(addNote({ note_id: `n${length}`, content, data: { content } }));
      const note = await readNote(transport, `n${length}`);
      expect(note?.content === content).toBe(true);
      expect(note?.data).toEqual({ content });
    }
  },
  'text in a value is never SQL': async (transport) => {
    for (const [index, value] of HOSTILE_VALUES.entries()) {
      const note = {
        ...WHOLE_NOTE,
        note_id: `${index}${value}`,
        content: value,
        label: value,
        data: { [value]: value },
      };
      await transport.executeAtomic(addNote(note));
      expect(await readNote(transport, note.note_id)).toEqual(note);
      expect(await readNote(transport, value)).toBeUndefined();
    }
    expect(await countNotes(transport)).toBe(HOSTILE_VALUES.length);
  },
  'calls at once get their own results': async (transport) => {
    const ids = Array.from({ length: 12 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    await Promise.all(ids.map((note_id) => transport.executeAtomic(addNote({ note_id, label: note_id }))));
    const notes = await Promise.all(ids.map((id) => readNote(transport, id)));
    expect(notes.map((note) => note?.label)).toEqual(ids);
  },
};
