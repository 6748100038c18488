import { returnAddress } from './returnAddress';

const origin = 'https://talkoot.test';

test.each([
  ['/7/lautta/pledge/12', '/7/lautta/pledge/12'],
  ['/en/campaigns/?keyword=sauna#search', '/en/campaigns/?keyword=sauna#search'],
  ['https://talkoot.test/profile/me/', '/profile/me/'],
  ['profile/me/', '/profile/me/'],
])('%s is an address here', (asked, address) => expect(returnAddress(asked, origin)).toBe(address));

test.each([
  null,
  '',
  'https://evil.example/',
  'http://talkoot.test/',
  'https://talkoot.test.evil.example/',
  'https://talkoot.test@evil.example/',
  'https://someone@talkoot.test/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example',
  '/\t/evil.example/',
  '/.//evil.example/',
  'https://talkoot.test//evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
])('%s leads elsewhere', (asked) => expect(returnAddress(asked, origin)).toBeUndefined());
