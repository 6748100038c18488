import type { DocNode } from '../richText/document';
import { mergeBlocks, type BlockMerge } from './blockMerge';

const p = (text: string): DocNode => ({
  type: 'paragraph',
  content: text ? [{ type: 'text', text }] : undefined,
});
const said = (node: DocNode | undefined): string =>
  node ? (node.text ?? (node.content ?? []).map(said).join('')) : '–';
const all = (blocks: readonly DocNode[]) => blocks.map(said).join(' | ');
const texts = (line: string) => (line === '' ? [] : line.split(' | ').map(p));
const merge = (base: string, mine: string, theirs: string, sent?: string): BlockMerge =>
  mergeBlocks({
    base: texts(base),
    mine: texts(mine),
    theirs: texts(theirs),
    sent: sent === undefined ? [] : [texts(sent)],
  });

test.each([
  // what happened, base, mine, theirs, merged
  ['nobody changed anything', 'a | b', 'a | b', 'a | b', 'a | b'],
  ['only I changed', 'a | b', 'a | b2', 'a | b', 'a | b2'],
  ['only they changed', 'a | b', 'a | b', 'a2 | b', 'a2 | b'],
  ['both changed the same to the same', 'a | b', 'a2 | b', 'a2 | b', 'a2 | b'],
  ['neighbours were changed by one each', 'a | b', 'a2 | b', 'a | b2', 'a2 | b2'],
  ['I wrote at the start, they at the end', 'a | b', 'x | a | b', 'a | b | y', 'x | a | b | y'],
  ['I changed what they added after', 'a | b', 'a | b2', 'a | b | c', 'a | b2 | c'],
  ['both added at one place', 'a | b', 'a | x | b', 'a | y | b', 'a | x | y | b'],
  ['both added the same', 'a | b', 'a | x | b', 'a | x | b', 'a | x | b'],
  ['I removed, they changed another', 'a | b | c', 'a | c', 'a | b | c2', 'a | c2'],
  ['both removed', 'a | b | c', 'a | c', 'a | c', 'a | c'],
  ['they moved, I changed another', 'a | b | c', 'a | b2 | c', 'c | a | b', 'c | a | b2'],
  ['they moved what I changed', 'a | b | c', 'a | b | c2', 'c | a | b', 'c2 | a | b'],
  ['I moved what they changed', 'a | b | c', 'c | a | b', 'a | b | c2', 'c2 | a | b'],
  ['both moved one block', 'a | b | c', 'c | a | b', 'a | c | b', 'c | a | b'],
  ['everything was written in an empty text', '', 'x', '', 'x'],
  ['both began an empty text', '', 'x', 'y', 'x | y'],
  ['they emptied the text, I added', 'a | b', 'a | b | c', '', 'c'],
  [
    'they split a paragraph, I changed another',
    'one two | b',
    'one two | b2',
    'one | two | b',
    'one | two | b2',
  ],
])('%s: merged without asking', (_, base, mine, theirs, merged) => {
  const { blocks, questions, base: next } = merge(base, mine, theirs);
  expect(all(blocks)).toBe(merged);
  expect(questions).toEqual([]);
  expect(all(next)).toBe(theirs);
});

test.each([
  // base, mine, theirs, merged, question: mine and theirs
  ['a | b | c', 'a | b2 | c', 'a | b3 | c2', 'a | b2 | c2', 'b2', 'b3', 1],
  ['a | b | c', 'a | c', 'a | b3 | c', 'a | c', '–', 'b3', 1],
  ['a | b | c', 'a | b2 | c', 'a | c', 'a | b2 | c', 'b2', '–', 1],
  ['a z | b', 'x | a2 z | b', 'a3 z | b', 'x | a2 z | b', 'a2 z', 'a3 z', 1],
  // What was moved and changed at once is a new block beside the one that others have changed.
  ['a | b | c', 'b2 | a | c', 'a | b3 | c', 'b2 | a | c', '–', 'b3', 2],
])('%s, mine %s, theirs %s: one question', (base, mine, theirs, merged, own, other, at) => {
  const result = merge(base, mine, theirs);
  expect(all(result.blocks)).toBe(merged);
  expect(result.questions.map((one) => [said(one.mine), said(one.theirs), one.at])).toEqual([
    [own, other, at],
  ]);
});

test('a question stays one when the merged text is merged again, and when theirs is read again', () => {
  const first = merge('a | b | c', 'a | b2 | c', 'a0 | b3 | c');
  expect(all(first.blocks)).toBe('a0 | b2 | c');
  const again = mergeBlocks({ base: first.base, mine: first.blocks, theirs: texts('a0 | b3 | c') });
  expect(all(again.blocks)).toBe('a0 | b2 | c');
  expect(again.questions.map((one) => [said(one.mine), said(one.theirs)])).toEqual([['b2', 'b3']]);
});

test.each([
  ['what I sent and changed further', 'a', 'a3', 'a2', 'a2', 'a3'],
  ['what I added, sent and changed further', 'a', 'a | x2', 'a | x', 'a | x', 'a | x2'],
  ['what I removed, sent and put back', 'a | b', 'a | b', 'a', 'a', 'a | b'],
  ['beside what others have changed since', 'a | b', 'a3 | b', 'a2 | b9', 'a2 | b', 'a3 | b9'],
])('an answer that was lost is no question to oneself: %s', (_, base, mine, theirs, sent, merged) => {
  const { blocks, questions } = merge(base, mine, theirs, sent);
  expect(questions).toEqual([]);
  expect(all(blocks)).toBe(merged);
});

test('what others have done to what was sent is taken, where it was not changed further', () => {
  const { blocks, questions } = merge('a | b', 'a | b2', 'a9 | b', 'a | b2');
  expect([all(blocks), questions]).toEqual(['a9 | b2', []]);
});

test.each([
  [
    'get it on the net, keys at the library',
    'get it on the net or shop, keys at the library',
    'get it on the net, keys at the pharmacy',
    'get it on the net or shop, keys at the pharmacy',
  ],
  ['the sauna is warm', 'the big sauna is warm', 'the small sauna is warm', undefined],
  ['the sauna is warm', 'the sauna was warm', 'the sauna is hot', 'the sauna was hot'],
])('both changes fit into one block if they touch different words: %s', (base, mine, theirs, both) => {
  const [question] = merge(base, mine, theirs).questions;
  expect(question?.both && said(question.both)).toBe(both);
});

test('what others have changed and added is told, with what was there before', () => {
  const { taken } = merge('a | b | c', 'a | b | c2', 'a2 | b | y | c');
  expect(taken.map(({ at, before }) => [at, before && said(before)])).toEqual([
    [0, 'a'],
    [2, undefined],
  ]);
});

test('whatever two people do, no word that one of them has written goes without a question', () => {
  const pick = (seed: number, among: number) => (Math.abs(Math.sin(seed) * 10_000) % among) | 0;
  const edit = (blocks: readonly string[], seed: number, who: string) => {
    const out = [...blocks];
    for (let step = 0; step < 3; step += 1) {
      const at = pick(seed * 7 + step, out.length + 1);
      const act = pick(seed * 13 + step, 4);
      if (act === 0) out.splice(at, 0, `${who}${seed}.${step}`);
      else if (act === 1 && out[at]) out[at] = `${out[at]} ${who}${seed}.${step}`;
      else if (act === 2 && out.length > 1 && !out[at]?.includes(who)) out.splice(at, 1);
      else if (act === 3 && out[at]) out.unshift(...out.splice(at, 1));
    }
    return out;
  };
  for (let seed = 1; seed < 400; seed += 1) {
    const base = ['one is here', 'two is there', 'three is far', 'four is near'];
    const mine = edit(base, seed, 'M');
    const theirs = edit(base, seed + 1_000, 'T');
    const { blocks, questions } = merge(base.join(' | '), mine.join(' | '), theirs.join(' | '));
    const kept = `${all(blocks)} ${questions.map((one) => said(one.theirs)).join(' ')}`;
    const wrote = [...mine, ...theirs]
      .flatMap((text) => text.split(' '))
      .filter((word) => /^[MT]\d/.test(word));
    expect({ seed, lost: wrote.filter((word) => !kept.includes(word)) }).toEqual({ seed, lost: [] });
  }
});
