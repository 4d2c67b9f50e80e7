import type { HiddenSentence } from './split-sentences.ts';
import type { Statement, StatementType } from './statement.ts';

interface JapaneseRule {
  readonly slot: string;
  readonly pattern: RegExp;
  readonly type: StatementType;
  readonly importance: number;
  readonly isSingleValued: boolean;
}

type RuleFlags = Partial<Pick<JapaneseRule, 'type' | 'importance' | 'isSingleValued'>>;

function rule(slot: string, pattern: RegExp, flags: RuleFlags = {}): JapaneseRule {
  return { slot, pattern, type: 'fact', importance: 3, isSingleValued: false, ...flags };
}

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
  /^(?:(?:実は|やっぱり|やはり|いや|いえ|あ|ああ|えっと|ちなみに|それと|あと|また|そして|でも|はい|ええ|こんにちは|こんばんは|おはようございます|すみません|訂正です|訂正します)[、,！!。\s]*)+/u;
const SUBJECT = /^(?:私|わたし|わたくし|僕|ぼく|俺|おれ|自分|うち|当方)(は|も|が|の)、?/u;
const NEGATIVE =
  /ません|ない(?:です|んです)?$|なく(?:なり|て)|じゃない|ではない|やめ(?:ました|た|て)|嫌い|苦手|きらい|辞め/u;
const NEXT_CLAUSE = /(?<=です|ます|ません|した)(?:が|けど|けれど|けれども)、/u;
const CORRECTED = /^.*(?:ではなく(?:て)?|じゃなく(?:て)?)、?/u;
const FEELING =
  /^(?:元気|大丈夫|平気|嬉しい|悲しい|疲れ|眠い|忙しい|心配|不安|残念|幸せ|暇|そう|本当|初めて|同じ|こちら|これ|それ|以上)/u;
const RELATIVES =
  '妻|夫|妹|姉|兄|弟|母|父|娘|息子|子供|子ども|彼女|彼氏|祖母|祖父|犬|猫|ペット|上司|友達|友人';

const RULES: readonly JapaneseRule[] = [
  rule('home', /^(?<object>.+?)(?:に|で)(?:は|も)?、?(?:もう)?(?:住ん|暮らし|在住)/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule('home', /^(?<object>.+?)(?:に|へ)(?:引っ越|移住|転居|移り)/u, { isSingleValued: true, importance: 4 }),
  rule('home', /^(?<object>.+?)在住(?:です|だ)?$/u, { isSingleValued: true, importance: 4 }),
  rule('origin', /^(?<object>.+?)(?:の)?(?:出身|生まれ)(?:です|だ|ました|た)?/u, { isSingleValued: true }),
  rule('allergy', /^(?<object>.+?)(?:の|に)?アレルギー/u, { importance: 5 }),
  rule('name', /^(?:名前は|名は)(?<object>.+?)(?:です|だ|と申します|といいます|と言います)$/u, {
    isSingleValued: true,
    importance: 5,
  }),
  rule('name', /^(?<object>[^、。]{1,20})と(?:申し|いい)ます$/u, { isSingleValued: true, importance: 5 }),
  rule('nickname', /^(?<object>[^、。]{1,20})(?:と|って)呼んで(?:ください|下さい|ね)?$/u, {
    type: 'preference',
    isSingleValued: true,
    importance: 4,
  }),
  rule('favourite', /^(?:一番|いちばん)?好きな(?<what>.+?)は(?<object>.+?)(?:です|だ)?$/u, {
    type: 'preference',
    isSingleValued: true,
  }),
  rule(
    'relative',
    new RegExp(
      `^(?<what>${RELATIVES})(?:の名前)?は(?!(?:大?好き|大?嫌い|苦手))(?<object>.+?)(?:です|だ|ます|ました|という名前です)$`,
      'u',
    ),
    {
      importance: 4,
    },
  ),
  rule(
    'relative',
    new RegExp(`^(?<object>.*?(?:${RELATIVES}))(?:が|を)[^、。]{0,12}?(?:います|いる|飼って|飼い)`, 'u'),
    { importance: 4 },
  ),
  rule('prefer', /^(?<object>.+?)(?:の)?(?:ほう|方)が(?:好き|いい|良い|よい)/u, { type: 'preference' }),
  rule(
    'like',
    /^(?<object>.+?)(?:が|は|も)、?(?:とても|本当に|一番|大の|あまり|もう|特に)?(?:大?好き|大?嫌い|苦手|好み|好ん)/u,
    { type: 'preference' },
  ),
  rule('employer', /^(?<object>.+?)(?:で|に)(?:働|勤め|勤務|就職|転職|入社)/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule('role', /^(?:仕事|職業)は(?<object>.+?)(?:です|だ|をしています)$/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule('role', /^(?<object>.+?)として(?:働|勤め|勤務)/u, { isSingleValued: true, importance: 4 }),
  rule(
    'attribute',
    /^(?<what>誕生日|年齢|電話番号|メールアドレス|住所|趣味|目標|母国語|国籍|予算|血液型)は(?<object>.+?)(?:です|だ)?$/u,
    {
      isSingleValued: true,
      importance: 4,
    },
  ),
  rule('age', /^(?<object>\d{1,3})歳(?:です|になりました)$/u, { isSingleValued: true }),
  rule('inability', /^(?<object>.+?)(?:が|は|を)?(?:食べられ|飲め|泳げ|運転でき|食べ)(?:ません|ない)/u, {
    importance: 4,
  }),
  rule(
    'habit',
    /^(?<object>.+?)(?:を|に)(?:使って|飲んで|食べて|勉強して|学んで|習って|練習して|集めて|担当して|書いて|読んで|作って|通って|飼って|持って)(?:い)?(?:ます|る|ました)/u,
  ),
  rule('habit', /^(?<object>(?:毎日|毎朝|毎晩|毎週|普段|週末は?|いつも)、?.+?)(?:ます|ています|る)$/u),
  rule('plan', /^(?<object>.+?)(?:たいです|たいと思っています|つもりです|予定です|ようとしています)$/u),
];

/** Nouns of a value: runs of Han, Katakana, Latin letters or digits; the whole value when it has none. */
function contentRuns(text: string): ReadonlySet<string> {
  const runs = text.match(/\p{Script=Han}+|[\p{Script=Katakana}ー]+|[\p{Script=Latin}\p{N}]+/gu) ?? [];
  const kept = runs.filter(
    (run) => !/^(?:今|現在|最近|去年|今年|先月|今月|来月|一番|年|月|今度)$/u.test(run),
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
    .replace(/^(?:今は|いまは|現在は?|最近は?|先月|去年|もう|今年|来月)、?/u, '');
  for (const { pattern, slot, type, importance, isSingleValued } of RULES) {
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
  if (text === '' || QUESTION.test(text) || QUESTION.test(sentence.text)) return [];
  const restore = (statement: Statement): Statement => ({
    ...statement,
    content: sentence.restore(statement.content),
    objects: contentRuns(sentence.restore([...statement.objects].join(' '))),
  });
  const remembered = (REMEMBER_FIRST.exec(text) ?? REMEMBER.exec(text))?.[1];
  if (remembered !== undefined)
    return [restore(readPlain(remembered) ?? readGuideline(remembered, 'memory'))];
  if (GUIDELINE.test(text)) return [restore(readGuideline(text, 'guideline'))];
  if (HYPOTHETICAL.test(text) || HEARSAY.test(text)) return [];
  return text
    .split(NEXT_CLAUSE)
    .map((clause) => readPlain(clause) ?? readIdentity(clause))
    .filter((found) => found !== null)
    .map(restore);
}
