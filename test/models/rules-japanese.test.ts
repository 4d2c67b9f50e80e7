import { describe, expect, test } from 'vitest';
import { extract } from './rules-prompt.ts';

async function contents(said: string): Promise<readonly string[]> {
  return (await extract(said)).map(({ type, content }) => `${type}: ${content}`);
}

describe('Japanese statements', () => {
  test.each([
    ['私は東京に住んでいます。', ['fact: ユーザーは東京に住んでいます。']],
    ['ピーナッツアレルギーがあります。', ['fact: ピーナッツアレルギーがあります。']],
    ['コーヒーより紅茶のほうが好きです。', ['preference: コーヒーより紅茶のほうが好きです。']],
    ['必ず日本語で答えてください。', ['guideline: 必ず日本語で答えてください。']],
    ['お知らせですが、大阪に引っ越しました。', ['fact: 大阪に引っ越しました。']],
    ['私の旅行の予算は4000ユーロです。', ['fact: ユーザーの旅行の予算は4000ユーロです。']],
    ['パスポートは2027年1月に切れます。', ['fact: パスポートは2027年1月に切れます。']],
    ['身長は194センチです。', ['fact: 身長は194センチです。']],
    ['看護師として病院で働いています。', ['fact: 看護師として病院で働いています。']],
    [
      '夜勤があるので、正午前には絶対に電話しないでください。',
      ['fact: 夜勤がある。', 'guideline: 正午前には絶対に電話しないでください。'],
    ],
    ['先週、大阪に引っ越したので、もう東京には住んでいません。', ['fact: 先週、大阪に引っ越した。']],
  ])('%s', async (said, expected) => {
    expect(await contents(said)).toEqual(expected);
  });

  test.each([
    ['東京に住んでいます。', '先週、大阪に引っ越しました。'],
    ['東京に住んでいます。', '昨日、京都へ引っ越しました。もう東京には住んでいません。'],
    ['私はベジタリアンです。', '私はベジタリアンではなく、ビーガンです。'],
    ['私はベジタリアンです。', '私はもうベジタリアンではありません。'],
    ['旅行の予算は4000ユーロです。', '旅行の予算は5000ユーロになりました。'],
    ['コーヒーより紅茶のほうが好きです。', '紅茶よりコーヒーのほうが好きです。'],
    ['夜勤があります。', 'もう夜勤はありません。'],
  ])('%s is superseded by %s', async (known, said) => {
    expect(await extract(said, [{ id: 'known', content: known }])).toEqual([
      expect.objectContaining({ supersedes: ['known'] }),
    ]);
  });

  test('a move is known by the place, whenever it was', async () => {
    const past = [{ id: 'known', content: '先週末、大阪に引っ越しました。' }];
    expect(await extract('大阪に住んでいます。', past)).toEqual([]);
  });

  test.each([
    '電話番号が変わりましたが、覚えなくていいです。',
    '大阪に行ったことがありますか',
    '比較してもらえますか。',
    'ありがとうございます。',
    '明日は10時に会議があります。',
    '答えは5です。',
    '午前中は電話しないでください。',
  ])('left out: %s', async (said) => {
    expect(await contents(said)).toEqual([]);
  });
});
