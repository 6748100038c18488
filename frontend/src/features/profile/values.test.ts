import { changedNames, isAddress, linksChange, profileChange, type ProfileValues } from './values';

const saved: ProfileValues = {
  first_name: 'Áile',
  last_name: 'Näkkäläjärvi',
  phone: '',
  short_description: 'Joikuja.',
  links: [{ id: 0, title: 'Sivu', url: 'https://njuolla.fi' }],
  skills: ['Yoik'],
  tags: [3],
};

test('only what differs is changed, and only that is sent', () => {
  const values = {
    ...saved,
    first_name: ' Áile ',
    phone: ' +358 40 123 ',
    skills: ['Yoik', 'Kirjansidonta'],
  };
  const changed = changedNames(saved, values);
  expect(changed).toEqual(['phone', 'skills']);
  expect(profileChange(changed, values)).toEqual({ meta: { phone: '+358 40 123' } });
  expect(profileChange(['skills'], values)).toBeUndefined();
});

test('rows with both address and title empty are dropped, and are no change', () => {
  const links = [...saved.links, { id: 1, title: ' ', url: '' }];
  expect(changedNames(saved, { ...saved, links })).toEqual([]);
  expect(linksChange([...links, { id: 2, title: '', url: ' a.fi ' }])).toEqual({
    links: [
      { url: 'https://njuolla.fi', title: 'Sivu' },
      { url: 'a.fi', title: '' },
    ],
  });
});

test.each([
  ['njuolla.fi', true],
  ['https://njuolla.fi/a?b=c', true],
  ['aile@nuotit.fi', true],
  ['mailto:aile@nuotit.fi', true],
  ['', false],
  ['njuolla', false],
  ['two words.fi', false],
  ['javascript:alert(1).fi', false],
])('%s is an address: %s', (text, expected) => {
  expect(isAddress(text)).toBe(expected);
});
