import { japaneseRules } from './japanese-rules.ts';
import type { HiddenSentence } from './split-sentences.ts';
import type { Statement, StatementType } from './statement.ts';

const GUIDELINE =
  /(?:必ず|絶対に?|常に|いつも|毎回|今後は?|これからは?|以後は?|返答|返信|回答|返事|説明).*(?:ください|下さい|お願いします|お願いいたします|欲しいです|ほしいです|こと)$|(?:という|が)ルールです$|(?:で|く|に)(?:答えて|話して|返信して|返答して|返事して|書いて)(?:ください|下さい)$/u;
const REMEMBER_FIRST = /^(?:覚えておいて|メモして|記憶して)(?:ください|下さい|ね)?[：:、,。\s]+(.+)$/u;
const REMEMBER =
  /^(.+?)(?:を|ことを|と|って)?(?:覚えておいて|覚えて|記憶して|メモして)(?:ください|下さい|ね|おいてください)?$/u;
const HYPOTHETICAL =
  /もし|たら|(?<!すれ)ならば|かもしれ|だろう|でしょう|仮に|例えば|たとえば|としたら|と思う人|つもりはなかった/u;
const QUESTION = /[?？]\s*$|(?:ですか|ますか|でしょうか|かな|かしら|ましたか|ませんか)。?$/u;
const HEARSAY = /(?:と|って)(?:言|い)(?:って|った|いました|われ)|そうです$|らしい(?:です)?$|とのこと/u;
const OPENER =
  /^(?:(?:実は|やっぱり|やはり|いや|いえ|あ|ああ|えっと|ちなみに|それと|あと|また|そして|でも|はい|ええ|こんにちは|こんばんは|おはようございます|すみません|訂正です|訂正します|(?:ちょっとした|一つ|ひとつ)?(?:お知らせ|報告|更新|訂正|補足|近況)(?:ですが|があります|(?=[：:、])))[、,！!。：:\s]*)+/u;
const SUBJECT = /^(?:私|わたし|わたくし|僕|ぼく|俺|おれ|自分|うち|当方)(は|も|が|の)、?/u;
const NEGATIVE =
  /ません|ない(?:です|んです)?$|なく(?:なり|て)|じゃない|ではない|やめ(?:ました|た|て)|(?:住んで|働いて|勤めて)い(?:ました|た)$|嫌い|苦手|きらい|辞め/u;
const NEXT_CLAUSE =
  /(?<=です|ます|ません|した)(?:が|けど|けれど|けれども)、|(?<=た|いる|ある|です|ます)(?:ので|から)、/u;
const CORRECTED = /^.*(?:ではなく(?:て)?|じゃなく(?:て)?)、?/u;
/** Time in front of what is stated. */
const TIME =
  /^(?:(?:今|いま|現在|最近|昨日|一昨日|おととい|先日|先週末?|先々?月|去年|昨年|もう|今[週月年]|来[週月年]|この春|この夏|この秋|この冬|\d{1,4}年(?:前)?|\d{1,2}月)(?:は|に|から|、)*)+/u;
/** The user does not want it kept. */
const NOT_TO_KEEP = /(?:覚え|保存し|記録し|メモし|記憶し)(?:なくて|ないで)/u;
const FEELING =
  /^(?:元気|大丈夫|平気|嬉しい|悲しい|疲れ|眠い|忙しい|心配|不安|残念|幸せ|暇|そう|本当|初めて|同じ|こちら|これ|それ|以上)/u;
/** Nouns of a value: runs of Han, Katakana, Latin letters or digits; the whole value when it has none. */
function contentRuns(text: string): ReadonlySet<string> {
  const runs = text.match(/\p{Script=Han}+|[\p{Script=Katakana}ー]+|[\p{Script=Latin}\p{N}]+/gu) ?? [];
  const kept = runs.filter(
    (run) => !/^(?:今|現在|最近|昨日|去年|今年|先週|先週末|先月|今月|来月|一番|年|月|今度)$/u.test(run),
  );
  return new Set(kept.length > 0 ? kept.map((run) => run.toLowerCase()) : [text.trim()]);
}

function endSentence(text: string): string {
  return `${text.trim().replace(/[。.!！\s]+$/u, '')}。`;
}

/** `私は…` as `ユーザーは…`; a sentence without a subject stays as it is. */
function nameSubject(sentence: string): string {
  return sentence.replace(SUBJECT, (_match, particle: string) => `ユーザー${particle}`);
}

function readGuideline(sentence: string, type: StatementType): Statement {
  const language = /(日本語|英語|中国語|韓国語|フランス語|ドイツ語|スペイン語)で/u.exec(sentence)?.[1];
  return {
    type,
    content: endSentence(sentence),
    slot: language === undefined ? type : 'answer-language',
    isSingleValued: language !== undefined,
    objects: contentRuns(language ?? sentence),
    isNegative: /ないで|しない/u.test(sentence),
    importance: type === 'guideline' ? 5 : 4,
  };
}

function readPlain(sentence: string): Statement | null {
  const plain = sentence
    .replace(/^(?:ユーザー|利用者)(?:は|も|が|の)、?/u, '')
    .replace(SUBJECT, '')
    .replace(TIME, '');
  for (const { pattern, slot, type, importance, isSingleValued } of japaneseRules) {
    const match = pattern.exec(plain);
    if (match === null) continue;
    const what = match.groups?.what;
    return {
      type,
      content: endSentence(nameSubject(sentence)),
      slot: what === undefined ? slot : `${slot}-${what}`,
      isSingleValued,
      objects: contentRuns((match.groups?.object ?? plain).replace(CORRECTED, '')),
      isNegative: NEGATIVE.test(plain.replace(CORRECTED, '')),
      importance,
    };
  }
  return null;
}

function readIdentity(sentence: string): Statement | null {
  const object = /^(?:私|わたし|僕|ぼく|俺|ユーザー)は、?(?<object>.{1,30}?)です$/u.exec(sentence)?.groups
    ?.object;
  if (object === undefined || FEELING.test(object)) return null;
  const content = endSentence(nameSubject(sentence));
  return {
    type: 'fact',
    content,
    slot: 'identity',
    isSingleValued: false,
    objects: contentRuns(object),
    isNegative: false,
    importance: 3,
  };
}

/** Statements that one Japanese sentence of a user makes about the user, or asks to be kept. */
export function readJapaneseSentence(sentence: HiddenSentence): readonly Statement[] {
  const text = sentence.text.replace(OPENER, '').replace(/[。.!！\s]+$/u, '');
  if (NOT_TO_KEEP.test(text)) return [];
  if (text === '' || QUESTION.test(text) || QUESTION.test(sentence.text)) return [];
  const restore = (statement: Statement): Statement => ({
    ...statement,
    content: sentence.restore(statement.content),
    objects: contentRuns(sentence.restore([...statement.objects].join(' '))),
  });
  const remembered = (REMEMBER_FIRST.exec(text) ?? REMEMBER.exec(text))?.[1];
  if (remembered !== undefined)
    return [restore(readPlain(remembered) ?? readGuideline(remembered, 'memory'))];
  const clauses = text.split(NEXT_CLAUSE);
  const last = clauses.at(-1) ?? text;
  const isRule = GUIDELINE.test(last);
  if (!isRule && GUIDELINE.test(text)) return [restore(readGuideline(text, 'guideline'))];
  if (!isRule && (HYPOTHETICAL.test(text) || HEARSAY.test(text))) return [];
  const stated = (isRule ? clauses.slice(0, -1) : clauses)
    .map((clause) => readPlain(clause) ?? readIdentity(clause))
    .filter((found) => found !== null);
  return (isRule ? [...stated, readGuideline(last, 'guideline')] : stated).map(restore);
}
