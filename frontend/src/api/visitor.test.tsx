import { sourceOf, visitorId, visitSource } from './visitor';

const here = 'https://talkoot.fi/3/hoyry/';

test.each([
  ['', here, 'link'],
  ['https://talkoot.fi/', here, ''],
  ['https://www.facebook.com/', here, 'social:facebook'],
  ['https://m.facebook.com/x', here, 'social:facebook'],
  ['https://t.co/abc', here, 'social:twitter'],
  ['https://x.com/', here, 'social:twitter'],
  ['https://max.com/', here, 'site:max.com'],
  ['https://web.telegram.org/', here, 'social:telegram'],
  ['https://www.google.fi/', here, 'search:google'],
  ['https://pielavedensanomat.fi/juttu', here, 'site:pielavedensanomat.fi'],
  ['', `${here}?utm_medium=letter`, 'letter'],
])('with the referrer %p and the landing page %p the source is %p', (referrer, address, source) => {
  expect(sourceOf(referrer, address)).toBe(source);
});

test('a visitor keeps one id, in the format of the contract', () => {
  const id = visitorId();
  expect(id).toMatch(/^[0-9a-z]{26}$/);
  expect(visitorId()).toBe(id);
});

test.each([
  ['globalPrivacyControl', true],
  ['doNotTrack', '1'],
])('a visitor with %s has no id', (name, value) => {
  Object.defineProperty(navigator, name, { value, configurable: true });
  expect(visitorId()).toBeUndefined();
  Object.defineProperty(navigator, name, { value: undefined, configurable: true });
});

test('the source is that of the first page of a visit', () => {
  window.sessionStorage.setItem('tk-source', 'social:facebook');
  expect(visitSource()).toBe('social:facebook');
  window.sessionStorage.clear();
});
