import { guarded } from '../../../api/deviceStorage';
import { breakStorage, storageFaults } from '../../../../test/brokenStorage';
import { keepOrderToken, orderTokenFor } from '../../../api/orderTokens';
import { browserMemory } from './browserMemory';
import { choiceOf } from './order';
import { keptSubmissions } from './submissions';

let count = 0;
let time = 0;
const random = () => `random-${(count += 1)}`;
const guest = () => undefined;
const tab = (who: () => number | undefined = guest) => browserMemory(3, who, random, () => time);
/** A storage of its own, as each tab has one. */
const session = () => guarded(refuse);
const content = (amount: number, email = 'a@b.fi') =>
  JSON.stringify({ campaignId: 3, newPledge: { amount, reward_id: 5, pledge_meta: { email } } });

test('two tabs have one key for the same content, and another for any other', () => {
  const [one, two] = [tab(), tab()];
  expect(one.keyOf(content(45))).toBe(two.keyOf(content(45)));
  expect(one.keyOf(content(46))).not.toBe(two.keyOf(content(45)));
  expect(one.keyOf(content(45)).length).toBeLessThan(255);
});

test('once it is paid, or refused, in one tab, the same content is another pledge in all of them', () => {
  const one = keptSubmissions(session(), 3, tab());
  const two = keptSubmissions(session(), 3, tab());
  const { key } = one.begin(content(45));
  expect(two.begin(content(45)).key).toBe(key);
  one.paid('p', 5);
  const three = keptSubmissions(session(), 3, tab());
  const next = three.begin(content(45)).key;
  expect(next).not.toBe(key);
  three.forget();
  expect(three.begin(content(45)).key).not.toBe(next);
});

test('what was paid is known in every tab by its sum, reward and address, whatever else was typed', () => {
  const one = keptSubmissions(session(), 3, tab());
  const two = keptSubmissions(session(), 3, tab());
  one.begin(content(45));
  expect(two.paidAt(content(45))).toBeUndefined();
  one.corrected();
  one.paid('p', 1_000);
  expect(two.paidAt(content(45, 'A@B.fi'))).toBe(1_000);
  expect(two.paidAt(content(46))).toBeUndefined();
  expect(two.paidAt(content(45, 'c@d.fi'))).toBeUndefined();
});

test('what is stored names nobody', () => {
  const submissions = keptSubmissions(session(), 3, tab());
  submissions.begin(content(45));
  submissions.paid('p', 1_000);
  expect(JSON.stringify(window.localStorage)).not.toContain('a@b');
});

test('what one person left under way is not shown to another, and is gone once it is settled', () => {
  const payment = { pledgeId: 'p', amount: 45, at: 1 };
  tab(() => 7).setUnderWay(payment);
  expect(tab().underWay()).toBeUndefined();
  expect(tab(() => 8).underWay()).toBeUndefined();
  expect(tab(() => 7).underWay()).toEqual(payment);
  tab(() => 7).settled('p');
  expect(tab(() => 7).underWay()).toBeUndefined();
});

test('a guest goes on in another tab by the token of the pledge, which goes once it is settled', () => {
  const id = '01jd0000000000000000000001';
  keepOrderToken(id, 'its-token');
  tab().setUnderWay({ pledgeId: id, amount: 45, at: time });
  window.sessionStorage.clear(); // another tab
  expect(orderTokenFor(`/pledges/${id}/`)).toBeUndefined();
  tab().underWay();
  expect(orderTokenFor(`/pledges/${id}/`)).toBe('its-token');
  expect(orderTokenFor('/pledges/01jd0000000000000000000002/')).toBeUndefined();
  tab().settled(id);
  expect(JSON.stringify(window.localStorage)).not.toContain('its-token');
});

test('a payment of yesterday is not under way any more: nothing can be asked about it', () => {
  tab().setUnderWay({ pledgeId: 'p', amount: 45, at: time });
  time += 24 * 3_600_000;
  expect(tab().underWay()).toBeUndefined();
});

test.each(storageFaults)('a browser whose storage %s has keys all the same', (fault) => {
  const mend = breakStorage(fault);
  const memory = browserMemory(4, guest, random, () => time);
  const key = memory.keyOf(content(45));
  expect(memory.keyOf(content(45))).toBe(key);
  memory.renewKeys();
  expect(memory.keyOf(content(45))).not.toBe(key);
  memory.setUnderWay({ pledgeId: 'p', amount: 1, at: 1 });
  expect(memory.underWay()?.pledgeId).toBe('p');
  memory.settled('p');
  memory.setPaid(choiceOf(content(45)), 1);
  expect(memory.underWay()).toBeUndefined();
  expect(memory.paidAt(choiceOf(content(45)))).toBe(1);
  mend();
});

test('what this app has not written is the same as nothing', () => {
  window.localStorage.setItem('tk-keys-3', '{"a":');
  window.localStorage.setItem('tk-under-way-3-guest', '[7]');
  window.localStorage.setItem('tk-paid-3', '[7]');
  expect(tab().keyOf(content(45))).toBe(tab().keyOf(content(45)));
  expect(tab().underWay()).toBeUndefined();
  expect(tab().paidAt('choice')).toBeUndefined();
});

function refuse(): never {
  throw new DOMException('no', 'SecurityError');
}
