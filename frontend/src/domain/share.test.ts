import { shareLinks } from './share';

const shared = {
  title: 'Höyry & löyly?',
  words: 'Lähdin mukaan: Höyry & löyly?',
  url: 'https://talkoot.example/3/hoyry/',
};

test('a mail has the title as its subject, and the words and the address in it', () => {
  const mail = new URL(shareLinks(shared).email);
  expect(mail.protocol).toBe('mailto:');
  expect(mail.searchParams.get('subject')).toBe(shared.title);
  expect(mail.searchParams.get('body')).toBe(`${shared.words}\r\n\r\n${shared.url}`);
});

test('no mail program shows a plus in the place of a space', () => {
  expect(shareLinks(shared).email).not.toContain('+');
});

test('the networks are told the address, and the words where they take any', () => {
  const { whatsapp, facebook } = shareLinks(shared);
  expect(new URL(whatsapp).searchParams.get('text')).toBe(`${shared.words} ${shared.url}`);
  expect([...new URL(facebook).searchParams]).toEqual([['u', shared.url]]);
});
