import type { ApiError } from '../../api/apiError';
import { Autosaver, type Unsaved } from './autosaver';
import { keptOnDevice } from './kept';

interface Parts {
  title: string;
  story: string;
}

interface Call {
  part: string;
  value: unknown;
  version: number;
}

const kept = () => keptOnDevice<Unsaved<Parts>>(7, 'post-4', window.localStorage);
const refusal = (http: number): ApiError => ({ status: 'x', http });

/** A server that counts versions, and the saver that writes to it. */
function start(version = 3) {
  const sent: Call[] = [];
  const answers: (ApiError | Promise<undefined>)[] = [];
  let current = version;
  const saver = new Autosaver<Parts>({
    version,
    known: { title: 'H', story: 'L' },
    isSame: Object.is,
    kept: kept(),
    now: () => 1_000,
    delay: 500,
    send: async (part, value, upon) => {
      sent.push({ part, value, version: upon });
      const answer = answers.shift();
      if (answer && !(answer instanceof Promise)) return { error: answer };
      await answer;
      current += 1;
      return { version: current };
    },
  });
  return { saver, sent, answers };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what is typed leaves once, a moment after the last key', async () => {
  const { saver, sent } = start();
  saver.change('title', 'H');
  await jest.advanceTimersByTimeAsync(400);
  saver.change('title', 'Hö');
  expect(saver.getStatus()).toEqual({ is: 'waiting' });
  await jest.advanceTimersByTimeAsync(499);
  expect(sent).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([{ part: 'title', value: 'Hö', version: 3 }]);
  expect(saver.getStatus()).toEqual({ is: 'saved', at: 1_000 });
});

test('parts leave one after the other, each upon the version of the one before', async () => {
  const { saver, sent } = start();
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  expect(await saver.flush()).toBe(true);
  expect(sent.map(({ part, version }) => [part, version])).toEqual([
    ['title', 3],
    ['story', 4],
  ]);
});

test('the device keeps what the server has not got, and a later visit sends it', async () => {
  const { saver, answers } = start();
  answers.push(refusal(0));
  saver.change('story', 'Lautta');
  expect(kept().read()).toEqual({ version: 3, parts: { story: 'Lautta' } });
  expect(await saver.flush()).toBe(false);
  expect(saver.getStatus()).toMatchObject({ is: 'failed', isRetried: true });

  const later = start(9);
  expect(later.saver.unsaved).toEqual({ story: 'Lautta' });
  await jest.advanceTimersByTimeAsync(500);
  // Upon the version that was read when it was typed, so that a change by others in between is noticed.
  expect(later.sent).toEqual([{ part: 'story', value: 'Lautta', version: 3 }]);
  expect(kept().read()).toBeUndefined();
});

test.each([0, 429, 503])('after an answer of %i it is tried again by itself', async (http) => {
  const { saver, answers, sent } = start();
  answers.push(refusal(http));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  expect(saver.getStatus()).toMatchObject({ is: 'failed', isRetried: true });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(2);
  expect(saver.getStatus().is).toBe('saved');
});

test('what the server refuses for good waits for another text', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(422));
  saver.change('title', 'x'.repeat(200));
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(saver.getStatus()).toMatchObject({ is: 'failed', isRetried: false });
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  expect(saver.getStatus().is).toBe('saved');
});

test('a session that ends loses nothing; after signing in saving goes on', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(401));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('story', 'Lautta');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saver.getStatus()).toEqual({ is: 'signedOut' });
  expect(sent).toHaveLength(1);
  expect(kept().read()?.parts).toEqual({ title: 'Höyry', story: 'Lautta' });
  saver.resume();
  await jest.advanceTimersByTimeAsync(0);
  expect(saver.getStatus().is).toBe('saved');
});

test('nothing is written over what somebody else has changed until one of the two is chosen', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('title', 'Höyry 2');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saver.getStatus()).toEqual({ is: 'conflict' });
  expect(sent).toHaveLength(1);
  const theirs = { title: 'Sauna', story: 'L' };
  expect(saver.settle(8, theirs)).toBe('title');
  expect(sent).toHaveLength(1);
  saver.keep('title', theirs);
  expect(saver.settle(8, theirs)).toBeUndefined();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.at(-1)).toEqual({ part: 'title', value: 'Höyry 2', version: 8 });
});

test('the other version can stay', async () => {
  const { saver, answers } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  expect(await saver.flush()).toBe(false);
  saver.drop('title');
  saver.settle(8, { title: 'Sauna', story: 'L' });
  expect(saver.unsaved).toEqual({});
  expect(saver.getStatus()).toEqual({ is: 'saved' });
  expect(kept().read()).toBeUndefined();
});

test('what is typed while the server is writing is not taken for saved', async () => {
  const { saver, answers, sent } = start();
  const writing = new EventTarget();
  answers.push(new Promise((resolve) => writing.addEventListener('done', () => resolve(undefined))));
  saver.change('title', 'Hö');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('title', 'Höyry');
  writing.dispatchEvent(new Event('done'));
  await jest.advanceTimersByTimeAsync(0);
  expect(kept().read()?.parts).toEqual({ title: 'Höyry' });
  await jest.advanceTimersByTimeAsync(500);
  expect(sent.at(-1)).toEqual({ part: 'title', value: 'Höyry', version: 4 });
  expect(saver.getStatus().is).toBe('saved');
});

test('while another call changes the same thing nothing is sent; then it goes upon what that has made', async () => {
  const { saver, sent } = start();
  let end: () => void = () => undefined;
  const other = saver.alone(async () => {
    await new Promise<void>((resolve) => (end = resolve));
    saver.take(8, { title: 'H', story: 'Sauna' });
  });
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([]);
  end();
  await other;
  await jest.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ part: 'title', value: 'Höyry', version: 8 }]);
});

test('another call begins when nothing is on its way, and its failure stops nothing', async () => {
  const { saver, sent, answers } = start();
  let end: () => void = () => undefined;
  answers.push(new Promise((resolve) => (end = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  const saved = saver.flush();
  const seen: number[] = [];
  const other = saver.alone(() => {
    seen.push(saver.version);
    return Promise.reject(new Error('no line'));
  });
  const refused = expect(other).rejects.toThrow('no line');
  await jest.advanceTimersByTimeAsync(0);
  expect([sent.length, seen]).toEqual([1, []]);
  end();
  await refused;
  expect([await saved, seen]).toEqual([true, [4]]);
  saver.change('story', 'Lautta');
  expect(await saver.flush()).toBe(true);
});

test('what is typed while the server is slow leaves by itself, also when its moment came meanwhile', async () => {
  const { saver, sent, answers } = start();
  let end: () => void = () => undefined;
  answers.push(new Promise((resolve) => (end = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('story', 'Lautta');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sent).toHaveLength(1);
  end();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.map(({ part }) => part)).toEqual(['title', 'story']);
  expect(saver.getStatus().is).toBe('saved');
});

test('of each part that two people have written one is chosen, before anything is sent', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  await saver.flush();
  const theirs = { title: 'Sauna', story: 'Kiuas' };
  expect(saver.settle(8, theirs)).toBe('title');
  saver.keep('title', theirs);
  expect(saver.settle(8, theirs)).toBe('story');
  expect(sent).toHaveLength(1);
  saver.drop('story');
  expect(saver.settle(8, theirs)).toBeUndefined();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.slice(1)).toEqual([{ part: 'title', value: 'Höyry', version: 8 }]);
});

test('reading a version lets nothing go over what somebody else has changed in it', async () => {
  const { saver, sent } = start();
  saver.change('title', 'Höyry');
  // Their story is shown; their title is not written over, for the version stays the one before.
  expect(saver.take(8, { title: 'Sauna', story: 'Kiuas' })).toEqual(['story']);
  expect(saver.version).toBe(3);
  await saver.flush();
  expect(sent).toEqual([{ part: 'title', value: 'Höyry', version: 3 }]);
});

test('what was saved here and changed elsewhere since is shown; the same version read again is not', async () => {
  const { saver } = start();
  saver.change('title', 'Höyry');
  await saver.flush();
  expect(saver.take(4, { title: 'höyry', story: 'L' })).toEqual([]);
  expect(saver.take(5, { title: 'Sauna', story: 'L' })).toEqual(['title']);
  expect(saver.take(4, { title: 'Höyry', story: 'L' })).toEqual([]);
  expect(saver.version).toBe(5);
});

test('others who go on changing other parts are not answered as fast as the line goes', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(412), refusal(412), refusal(412), refusal(412));
  saver.change('title', 'Höyry');
  await saver.flush();
  for (const [version, pause] of [
    [8, 0],
    [9, 1_000],
    [10, 2_000],
    [11, 5_000],
  ] as const) {
    const before = sent.length;
    expect(saver.settle(version, { title: 'H', story: `${version}` })).toBeUndefined();
    if (pause > 0) await jest.advanceTimersByTimeAsync(pause - 1);
    expect(sent).toHaveLength(before);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(before + 1);
  }
  expect(saver.getStatus().is).toBe('saved');
});

test('another person on the same device does not get it', () => {
  start().saver.change('title', 'Höyry');
  expect(keptOnDevice(8, 'post-4').read()).toBeUndefined();
});

test('a screen that is left sends the rest once, and touches nothing of the next visit', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(503));
  saver.change('title', 'Höyry');
  await saver.leave();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(kept().read()?.parts).toEqual({ title: 'Höyry' });

  // A field that loses the focus because its screen goes away sends too.
  const fading = start();
  fading.answers.push(refusal(503), refusal(503));
  fading.saver.change('title', 'Höyry');
  void fading.saver.leave();
  void fading.saver.flush();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(fading.sent).toHaveLength(2);

  const first = start();
  void first.saver.leave();
  const next = start();
  next.saver.change('title', 'Höyry 2');
  await jest.advanceTimersByTimeAsync(0);
  expect(first.sent).toHaveLength(1);
  expect(kept().read()?.parts).toEqual({ title: 'Höyry 2' });
});
