import { rule, type StatementRule } from './statement-rule.ts';

const NOUN = '[\\p{Script=Han}\\p{Script=Katakana}ー]{1,10}';
const ATTRIBUTES =
  '誕生日|年齢|電話番号|メールアドレス|住所|趣味|目標|母国語|国籍|予算|血液型|身長|体重|家賃|靴のサイズ|締め切り|勤務時間|出勤時間';
const RELATIVES =
  '妻|夫|妹|姉|兄|弟|母|父|娘|息子|子供|子ども|彼女|彼氏|祖母|祖父|犬|猫|ペット|上司|友達|友人';

/** Rules over a clause about the user, its subject and time removed. The first that matches decides. */
export const japaneseRules: readonly StatementRule[] = [
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
  rule('role', /^(?:仕事|職業)は(?<object>.+?)(?:です|だ|をしています)$/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule('role', /^(?<object>.+?)として(?:[^、]{1,20}で)?(?:働|勤め|勤務)/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule('employer', /^(?<object>.+?)(?:で|に)(?:働|勤め|勤務|就職|転職|入社)/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule(
    'diet',
    /^(?:.{1,20}(?:では|じゃ)なくて?、?)?(?:もう)?(?<object>ベジタリアン|[ビヴ]ィ?ーガン|菜食主義者?|ペスカタリアン)(?:です|だ|にな|では|じゃ|をやめ)/u,
    {
      isSingleValued: true,
      importance: 4,
    },
  ),
  rule(
    'attribute',
    new RegExp(
      `^(?<what>(?:${NOUN}の)?(?:${ATTRIBUTES}))(?:は|が)、?(?:今は?|現在は?)?(?<object>.+?)(?:です|だ|になりました|に変わりました|に変更しました|に変えました)?$`,
      'u',
    ),
    {
      isSingleValued: true,
      importance: 4,
    },
  ),
  rule(
    'date-of',
    new RegExp(
      `^(?<what>(?!会議|打ち合わせ|質問)${NOUN}(?:の期限)?)(?:は|が)、?(?<object>[^、]*\\d(?:年|月|日)[^、]*に)(?:切れ|終わり|終わる|始まり|始まる|満了)`,
      'u',
    ),
    {
      isSingleValued: true,
    },
  ),
  rule(
    'schedule',
    /^(?<object>[^、]*?(?:夜勤|日勤|早番|遅番|授業|レッスン|リハビリ|透析))(?:が|は)(?:もう)?(?:あります|ある|ありません|ない|なくなりました|入っています)$/u,
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
