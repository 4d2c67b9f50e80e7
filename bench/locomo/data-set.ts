import { readFile } from 'node:fs/promises';
import * as z from 'zod';

/** One turn of a conversation. */
export interface Turn {
  /** `D<session>:<turn>`. */
  readonly id: string;
  readonly session: number;
  /** Speaker, text and caption of a picture. */
  readonly text: string;
}

export interface Session {
  readonly number: number;
  /** As the data set writes it: `1:56 pm on 8 May, 2023`. */
  readonly date: string;
  readonly turns: readonly Turn[];
}

export interface Question {
  readonly text: string;
  /** 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial. */
  readonly category: number;
  /** Ids of the turns that hold the answer. */
  readonly evidence: ReadonlySet<string>;
}

export interface Conversation {
  readonly id: string;
  readonly sessions: readonly Session[];
  readonly questions: readonly Question[];
}

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const fileSchema = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(z.object({ question: z.string(), category: z.number(), evidence: z.array(z.string()) })),
  }),
);
type Sample = z.infer<typeof fileSchema>[number];

/** Reads a file of LoCoMo. Evidence that names no turn is left out, and questions without evidence with it. */
export async function readLocomo(path: string): Promise<readonly Conversation[]> {
  return fileSchema.parse(JSON.parse(await readFile(path, 'utf8'))).map(readConversation);
}

function readConversation(sample: Sample): Conversation {
  const sessions = readSessions(sample);
  const known = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
  const questions = sample.qa.map(({ question, category, evidence }) => ({
    text: question,
    category,
    evidence: new Set((evidence.join(' ').match(/D\d+:\d+/g) ?? []).filter((id) => known.has(id))),
  }));
  return { id: sample.sample_id, sessions, questions: questions.filter(({ evidence }) => evidence.size > 0) };
}

function readSessions({ conversation }: Sample): readonly Session[] {
  return Object.entries(conversation)
    .flatMap(([key, value]) => {
      const number = Number(/^session_(\d+)$/.exec(key)?.[1]);
      if (Number.isNaN(number)) return [];
      const date = z.string().parse(conversation[`session_${number}_date_time`]);
      const turns = z.array(turnSchema).parse(value);
      return [{ number, date, turns: turns.map((turn) => toTurn(turn, number)) }];
    })
    .sort((one, other) => one.number - other.number);
}

function toTurn({ dia_id, speaker, text, blip_caption }: z.infer<typeof turnSchema>, session: number): Turn {
  return {
    id: dia_id,
    session,
    text: [`${speaker}: ${text}`, ...(blip_caption === undefined ? [] : [blip_caption])].join(' '),
  };
}
