import type { ApiError } from '../../api/apiError';
import { Autosaver, type AutosaverOptions } from './autosaver';
import type { Unsaved } from './unsaved';
import { localDraft } from './localDraft';

interface Parts {
  title: string;
  story: string;
}

interface Call {
  part: string;
  value: unknown;
  version: number;
}

const stored = () => localDraft<Unsaved<Parts>>(7, 'post-4');
const refusal = (http: number): ApiError => ({ status: 'x', http });

/** An autosaver with a fake server that counts versions. */
function start(version = 3, merge?: AutosaverOptions<Parts>['merge']) {
  const sent: Call[] = [];
  const answers: (ApiError | Promise<undefined>)[] = [];
  const writer = { isSignedIn: true };
  let current = version;
  const saver = new Autosaver<Parts>({
    version,
    known: { title: 'H', story: 'L' },
    isSame: Object.is,
    isSignedIn: () => writer.isSignedIn,
    localDraft: stored(),
    merge,
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
  return { saver, sent, answers, writer };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what is typed is sent once, after a pause in typing', async () => {
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

test('parts are saved one after the other, each with the version that the one before created', async () => {
  const { saver, sent } = start();
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  expect(await saver.flush()).toBe(true);
  expect(sent.map(({ part, version }) => [part, version])).toEqual([
    ['title', 3],
    ['story', 4],
  ]);
});

test('unsaved values stay on the device, and a later visit sends them', async () => {
  const { saver, answers } = start();
  answers.push(refusal(0));
  saver.change('story', 'Lautta');
  expect(stored().read()).toEqual({ version: 3, parts: { story: 'Lautta' } });
  expect(await saver.flush()).toBe(false);
  expect(saver.getStatus()).toMatchObject({ is: 'failed', isRetried: true });

  const later = start(9);
  expect(later.saver.unsaved).toEqual({ story: 'Lautta' });
  await jest.advanceTimersByTimeAsync(500);
  // With the version that was read when it was typed, so that a change by others since then is noticed.
  expect(later.sent).toEqual([{ part: 'story', value: 'Lautta', version: 3 }]);
  expect(stored().read()).toBeUndefined();
});

test.each([
  refusal(0),
  refusal(429),
  refusal(503),
  // No answer of ours: a page of the network's own, whatever its status is.
  ...[200, 401, 403, 412].map((http) => ({ status: 'invalid_response', http })),
])('after $status with $http the save is retried automatically', async (error) => {
  const { saver, answers, sent } = start();
  answers.push(error);
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  expect(saver.getStatus()).toMatchObject({ is: 'failed', isRetried: true });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(2);
  expect(saver.getStatus().is).toBe('saved');
});

test('after two queued saves have failed, a page that is left sends once more and then nothing', async () => {
  const { saver, sent, answers } = start();
  answers.push(refusal(503), refusal(503), refusal(503));
  saver.change('title', 'Höyry');
  await Promise.all([saver.flush(), saver.flush()]);
  expect(sent).toHaveLength(2);
  await saver.leave();
  expect(sent).toHaveLength(3);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
});

test('a rejected value is not sent again until it changes', async () => {
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

test('what is refused for good is kept nowhere and never sent again, and the rest is saved', async () => {
  const { saver, answers, sent } = start();
  const dropped: string[] = [];
  saver.callbacks = { onFixed: (part) => dropped.push(part) };
  answers.push({
    status: 'campaign_opened',
    http: 409,
    fields: [{ path: 'title', rule: 'fixed', message: 'Ei.' }],
  });
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  await jest.advanceTimersByTimeAsync(500);
  expect(dropped).toEqual(['title']);
  expect(saver.unsaved).toEqual({});
  expect(stored().read()).toBeUndefined();
  expect(saver.getStatus()).toEqual({ is: 'saved', at: 1_000 });
  expect(saver.refused.title?.status).toBe('campaign_opened');
  saver.change('story', 'Lautta 2');
  await jest.advanceTimersByTimeAsync(500);
  expect(sent.map(({ part }) => part)).toEqual(['title', 'story', 'story']);
});

test('an expired session loses nothing; saving resumes after sign-in', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(401));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('story', 'Lautta');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saver.getStatus()).toEqual({ is: 'signedOut' });
  expect(sent).toHaveLength(1);
  expect(stored().read()?.parts).toEqual({ title: 'Höyry', story: 'Lautta' });
  saver.resume();
  await jest.advanceTimersByTimeAsync(0);
  expect(saver.getStatus().is).toBe('saved');
});

test('nothing is sent for anybody but the writer, also when the page is left', async () => {
  const { saver, sent, writer } = start();
  saver.change('title', 'Höyry');
  writer.isSignedIn = false;
  await jest.advanceTimersByTimeAsync(60_000);
  await saver.leave();
  expect(saver.getStatus()).toEqual({ is: 'signedOut' });
  expect(sent).toHaveLength(0);
  writer.isSignedIn = true;
  saver.resume();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(1);
});

test('in a conflict nothing is sent until the user has chosen a version', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('title', 'Höyry 2');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saver.getStatus()).toEqual({ is: 'conflict' });
  expect(sent).toHaveLength(1);
  const theirs = { title: 'Sauna', story: 'L' };
  expect(saver.rebase(8, theirs)).toBe('title');
  expect(sent).toHaveLength(1);
  saver.keepMine('title', theirs);
  expect(saver.rebase(8, theirs)).toBeUndefined();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.at(-1)).toEqual({ part: 'title', value: 'Höyry 2', version: 8 });
});

test('the user can choose the other version', async () => {
  const { saver, answers } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  expect(await saver.flush()).toBe(false);
  saver.discard('title');
  saver.rebase(8, { title: 'Sauna', story: 'L' });
  expect(saver.unsaved).toEqual({});
  expect(saver.getStatus()).toEqual({ is: 'saved' });
  expect(stored().read()).toBeUndefined();
});

test('what is typed during a save does not count as saved', async () => {
  const { saver, answers, sent } = start();
  const writing = new EventTarget();
  answers.push(new Promise((resolve) => writing.addEventListener('done', () => resolve(undefined))));
  saver.change('title', 'Hö');
  await jest.advanceTimersByTimeAsync(500);
  saver.change('title', 'Höyry');
  writing.dispatchEvent(new Event('done'));
  await jest.advanceTimersByTimeAsync(0);
  expect(stored().read()?.parts).toEqual({ title: 'Höyry' });
  await jest.advanceTimersByTimeAsync(500);
  expect(sent.at(-1)).toEqual({ part: 'title', value: 'Höyry', version: 4 });
  expect(saver.getStatus().is).toBe('saved');
});

test('during an exclusive request nothing is sent; the next save has the version that it created', async () => {
  const { saver, sent } = start();
  let end: () => void = () => undefined;
  const other = saver.runExclusive(async () => {
    await new Promise<void>((resolve) => (end = resolve));
    saver.acceptVersion(8, { title: 'H', story: 'Sauna' });
  });
  saver.change('title', 'Höyry');
  await jest.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([]);
  end();
  await other;
  await jest.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([{ part: 'title', value: 'Höyry', version: 8 }]);
});

test('an exclusive request waits for the running save, and its failure does not block later saves', async () => {
  const { saver, sent, answers } = start();
  let end: () => void = () => undefined;
  answers.push(new Promise((resolve) => (end = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  const saved = saver.flush();
  const seen: number[] = [];
  const other = saver.runExclusive(() => {
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

test('what is typed during a slow save is sent after it, also if its pause ended meanwhile', async () => {
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

test('a part that is discarded while another is being saved is not sent', async () => {
  const { saver, sent, answers } = start();
  let answer: () => void = () => undefined;
  answers.push(new Promise((resolve) => (answer = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  const flushed = saver.flush();
  await jest.advanceTimersByTimeAsync(0);
  saver.discard('story');
  answer();
  expect(await flushed).toBe(true);
  expect(sent.map(({ part }) => part)).toEqual(['title']);
});

test('a part in which a question is opened while another is being saved waits for its answer', async () => {
  const { saver, sent, answers } = start(3, (_, { base, mine }) => ({ value: mine, base, isAsking: true }));
  let answer: () => void = () => undefined;
  answers.push(new Promise((resolve) => (answer = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  const flushed = saver.flush();
  await jest.advanceTimersByTimeAsync(0);
  saver.acceptVersion(4, { title: 'H', story: 'Laiva' });
  answer();
  expect(await flushed).toBe(false);
  expect(sent.map(({ part }) => part)).toEqual(['title']);
  expect(saver.getStatus()).toEqual({ is: 'asking' });
});

test('with several parts in conflict a version of each is chosen before anything is sent', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(412));
  saver.change('title', 'Höyry');
  saver.change('story', 'Lautta');
  await saver.flush();
  const theirs = { title: 'Sauna', story: 'Kiuas' };
  expect(saver.rebase(8, theirs)).toBe('title');
  saver.keepMine('title', theirs);
  expect(saver.rebase(8, theirs)).toBe('story');
  expect(sent).toHaveLength(1);
  saver.discard('story');
  expect(saver.rebase(8, theirs)).toBeUndefined();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.slice(1)).toEqual([{ part: 'title', value: 'Höyry', version: 8 }]);
});

test('reading a newer version does not allow overwriting what somebody else has changed in it', async () => {
  const { saver, sent } = start();
  saver.change('title', 'Höyry');
  // Their story is shown. The version stays the old one, so that the server refuses to overwrite their title.
  expect(saver.acceptVersion(8, { title: 'Sauna', story: 'Kiuas' })).toEqual(['story']);
  expect(saver.version).toBe(3);
  await saver.flush();
  expect(sent).toEqual([{ part: 'title', value: 'Höyry', version: 3 }]);
});

test('a part that others change after it was saved here is reported; the same or an older version is not', async () => {
  const { saver } = start();
  saver.change('title', 'Höyry');
  await saver.flush();
  expect(saver.acceptVersion(4, { title: 'höyry', story: 'L' })).toEqual([]);
  expect(saver.acceptVersion(5, { title: 'Sauna', story: 'L' })).toEqual(['title']);
  expect(saver.acceptVersion(4, { title: 'Höyry', story: 'L' })).toEqual([]);
  expect(saver.version).toBe(5);
});

test('after repeated conflicts about other parts the pauses before sending grow', async () => {
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
    expect(saver.rebase(version, { title: 'H', story: `${version}` })).toBeUndefined();
    if (pause > 0) await jest.advanceTimersByTimeAsync(pause - 1);
    expect(sent).toHaveLength(before);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(before + 1);
  }
  expect(saver.getStatus().is).toBe('saved');
});

test('another user of the same device does not get the unsaved values', () => {
  start().saver.change('title', 'Höyry');
  expect(localDraft(8, 'post-4').read()).toBeUndefined();
});

test('leaving the page sends unsaved values once, and overwrites nothing that the next visit has stored', async () => {
  const { saver, answers, sent } = start();
  answers.push(refusal(503));
  saver.change('title', 'Höyry');
  await saver.leave();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(stored().read()?.parts).toEqual({ title: 'Höyry' });

  // A field that loses the focus because its page is unmounted calls flush, too.
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
  expect(stored().read()?.parts).toEqual({ title: 'Höyry 2' });
});

test('an answer that was lost is no conflict with oneself: what was sent and typed on is saved over it', async () => {
  const { saver, sent, answers } = start();
  answers.push(refusal(0), refusal(412));
  saver.change('title', 'Hö');
  await saver.flush();
  saver.change('title', 'Höyry');
  await saver.flush();
  expect(saver.getStatus().is).toBe('conflict');
  expect(saver.rebase(4, { title: 'Hö', story: 'L' })).toBeUndefined();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sent.at(-1)).toEqual({ part: 'title', value: 'Höyry', version: 4 });
});

test('an answer that comes after a newer version was read does not take the version back', async () => {
  const { saver, answers } = start();
  let arrive: () => void = () => undefined;
  answers.push(new Promise<undefined>((resolve) => (arrive = () => resolve(undefined))));
  saver.change('title', 'Höyry');
  const flushed = saver.flush();
  await jest.advanceTimersByTimeAsync(0);
  saver.acceptVersion(9, { title: 'Höyry', story: 'Lautta' });
  arrive();
  await flushed;
  expect(saver.version).toBe(9);
});
