import { includedVatCents, parseCents, rewardTotalCents, toCents } from './amounts';
import { displayedGoal } from './goals';
import { campaignPercent, goalPercent, progressBar } from './progress';
import { sortRewards } from './rewards';
import { isLive, tokenLifetime } from './session';
import { titleSlug } from './slug';
import { byStageThenId } from './stageOrder';
import { campaignStageName, experimentStageName, takesPledges } from './stages';
import { isGone, stockLeft } from './stock';
import { timeLeft } from './timeLeft';
import { frameSource, videoSource } from './video';

describe('stages', () => {
  test.each([
    [0, false],
    [1, false],
    [2, true],
    [3, false],
    [4, false],
    [5, false],
    [6, true],
  ])('a campaign of stage %i takes pledges: %s', (stage, takes) => {
    expect(takesPledges({ stage })).toBe(takes);
    expect(takesPledges({ stage, hold: 'on_hold' })).toBe(false);
  });

  test('a stage’s name is found by its number', () => {
    expect(campaignStageName(4)).toBe('notReached');
    expect(experimentStageName(4)).toBe('adopted');
    expect(experimentStageName(7)).toBeUndefined();
  });

  test('experiments are sorted by stage, then id', () => {
    const list = [
      { stage: 2, experiment_id: 1 },
      { stage: 0, experiment_id: 9 },
      { stage: 0, experiment_id: 3 },
    ];
    expect(byStageThenId(list).map(({ experiment_id }) => experiment_id)).toEqual([3, 9, 1]);
  });
});

describe('progress', () => {
  test.each([
    [18_420, 24_000, 77, 77],
    [9_310, 11_000, 85, 85],
    [1_004, 1_000, 100, 101],
    [3_186, 3_200, 99, 99], // 99.6
    [3_199.99, 3_200, 99, 99],
    [3_200, 3_200, 100, 100],
    [1_100, 1_000, 110, 110], // 1.1 × 100 is above 110 in floating point
    [0.1, 1_000, 0, 1],
    [50, 0, 0, 0],
  ])('%d of %d is %i per cent rounded and %i at the goal', (reached, goal, rounded, ceiling) => {
    expect(campaignPercent(reached, goal)).toBe(rounded);
    expect(goalPercent(reached, goal)).toBe(ceiling);
  });

  test('below the goal, the bar’s full length is the goal and it has no goal line', () => {
    expect(progressBar({ confirmed: 600, settling: 100, goal: 1_000 })).toEqual({
      confirmed: 0.6,
      settling: 0.1,
    });
  });

  test('above the goal, the bar’s full length is the money raised and the line is at the goal', () => {
    expect(progressBar({ confirmed: 1_500, settling: 500, goal: 1_000 })).toEqual({
      confirmed: 0.75,
      settling: 0.25,
      line: 0.5,
    });
  });

  test('a minimum goal below the goal has the line', () => {
    expect(progressBar({ confirmed: 600, settling: 0, goal: 1_000, minGoal: 500 }).line).toBe(0.5);
  });
});

describe('stock', () => {
  test.each([
    [{ stock: 100, stock_reserved: 86 }, 14],
    [{ stock: 10, stock_reserved: 12 }, 0],
    [{ stock: 0, stock_reserved: 5 }, undefined],
    [{ stock: null }, undefined],
  ])('of %j there is %s left', (reward, left) => {
    expect(stockLeft(reward)).toBe(left);
    expect(isGone(reward)).toBe(left === 0);
  });
});

describe('amounts', () => {
  test.each([
    ['12', 1_200],
    ['12,5', 1_250],
    ['12.50', 1_250],
    ['1 284 500 €', 128_450_000],
    ['0,05', 5],
    ['\u200e1\u202f284,50\u00a0\u20ac\u202c', 128_450],
    ['25 e', 2_500],
    ['25,- EUR', 2_500],
    ['12,505', undefined],
    ['-3', undefined],
    ['', undefined],
    ['1e3', undefined],
  ])('"%s" reads as %s cents', (typed, cents) => {
    expect(parseCents(typed)).toBe(cents);
  });

  test('cents are exact where floating point is not', () => {
    expect(toCents(1.1)).toBe(110);
    expect(toCents(96.55)).toBe(9_655);
  });

  test('a pledge costs quantity times the reward plus the added cost once', () => {
    const sum = { rewardAmount: 45, quantity: 2, addedCost: 6.5 };
    expect(rewardTotalCents(sum)).toBe(9_650);
  });

  test('the VAT inside 96.50 at 13.5 per cent is 11.48', () => {
    expect(includedVatCents(9_650, 13.5)).toBe(1_148);
  });
});

test('rewards are sorted by amount, then id', () => {
  const rewards = [
    { amount: 45, reward_id: 3 },
    { amount: 10, reward_id: 9 },
    { amount: 45, reward_id: 2 },
  ];
  expect(sortRewards(rewards).map(({ reward_id }) => reward_id)).toEqual([9, 2, 3]);
});

describe('the displayed subscription goal', () => {
  const goals = [{ target: 210 }, { target: 100 }, { target: 400 }];
  test.each([
    [99, 100],
    [100, 210],
    [400, undefined],
  ])('after %i subscriptions is that of %s', (reached, target) => {
    expect(displayedGoal(goals, reached)?.target).toBe(target);
  });
});

test('a token lives for 12 hours after it was stored', () => {
  expect(tokenLifetime).toBe(12 * 60 * 60 * 1000);
  expect(isLive(1_000, 1_000 + tokenLifetime - 1)).toBe(true);
  expect(isLive(1_000, 1_000 + tokenLifetime)).toBe(false);
  expect(isLive(2_000, 1_000)).toBe(false);
});

test.each([
  ['Höyry – kylän yhteinen saunalautta', 'hoyry-kylan-yhteinen-saunalautta'],
  ['Njuolla ja Čáhci ŋ đ ŧ', 'njuolla-ja-cahci-n-d-t'],
  ['  --  ', '_'],
  ['Ahven & hauki, 2/3!', 'ahven-hauki-2-3'],
])('the slug of "%s" is %s', (title, slug) => {
  expect(titleSlug(title)).toBe(slug);
});

describe('time left', () => {
  const hour = 3_600_000;
  test.each([
    [48 * hour, { unit: 'days', count: 3 }],
    [48 * hour - 1, { unit: 'hours', count: 48 }],
    [31 * hour, { unit: 'hours', count: 31 }],
    [1, { unit: 'hours', count: 1 }],
    [5.5 * 24 * hour, { unit: 'days', count: 6 }],
    [0, { unit: 'over' }],
  ])('of %d ms is %j', (ms, left) => {
    expect(timeLeft(10_000 + ms, 10_000)).toEqual(left);
  });
});

describe('video addresses', () => {
  test.each([
    [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&enablejsapi=1',
    ],
    [
      'https://youtu.be/dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&enablejsapi=1',
    ],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
    [
      'https://www.youtube.com/watch?v=h8yrytalk01x',
      'https://www.youtube-nocookie.com/embed/h8yrytalk01x?autoplay=1&rel=0&enablejsapi=1',
    ],
    ['/media/original/film.mp4', '/media/original/film.mp4'],
  ])('%s plays from %s', (url, embed) => {
    expect(videoSource(url)?.embed).toBe(embed);
  });

  test.each(['https://evil.example/watch?v=dQw4w9WgXcQ', 'javascript:alert(1)', '//evil.example/a.mp4', ''])(
    '"%s" is no video',
    (url) => {
      expect(videoSource(url)).toBeUndefined();
    },
  );

  test.each([
    [
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      undefined,
    ],
    ['https://player.vimeo.com/video/76979871?dnt=1', 'https://vimeo.com/76979871', undefined],
    [
      'https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC',
      'https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC',
      200,
    ],
    [
      'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fa%2Fb',
      'https://soundcloud.com/a/b',
      166,
    ],
  ])('the iframe address %s has the page %s and, if it is audio, the height %s', (src, page, height) => {
    const source = frameSource(src);
    expect(source).toMatchObject({ page });
    expect(source && 'height' in source ? source.height : undefined).toBe(height);
  });
});
