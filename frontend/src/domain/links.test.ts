import { linkKind, safeAddress, shownAddress } from './links';

test.each([
  ['https://www.facebook.com/talkoot', 'facebook'],
  ['twitter.com/x', 'twitter'],
  ['https://x.com/talkoot', 'twitter'],
  ['https://fi.linkedin.com/in/aino', 'linkedin'],
  ['HTTPS://instagram.com/x', 'instagram'],
  ['mailto:noora@example.fi', 'email'],
  ['noora@example.fi', 'email'],
  ['https://example.fi/@facebook.com', 'www'],
  ['https://notfacebook.com', 'www'],
  ['https://fb.com/x', 'facebook'],
  ['https://facebook.com.evil.example/', 'www'],
  ['', 'www'],
])('%s is of kind %s', (url, kind) => {
  expect(linkKind(url)).toBe(kind);
});

test('only web and mail addresses are links', () => {
  expect(safeAddress('javascript:alert(1)')).toBeUndefined();
  expect(safeAddress('mailto:a@b.fi')).toBe('mailto:a@b.fi');
  expect(shownAddress('https://www.example.fi/')).toBe('example.fi');
  expect(shownAddress('mailto:a@b.fi')).toBe('a@b.fi');
});
