import { shareLinks } from './share';

const shared = {
  title: 'Höyry & löyly?',
  words: 'Lähdin mukaan: Höyry & löyly?',
  url: 'https://talkoot.example/3/hoyry/',
};

test('a mail has the title as its subject, and the text and the address in its body', () => {
  const mail = new URL(shareLinks(shared).email);
  expect(mail.protocol).toBe('mailto:');
  expect(mail.searchParams.get('subject')).toBe(shared.title);
  expect(mail.searchParams.get('body')).toBe(`${shared.words}\r\n\r\n${shared.url}`);
});

test('spaces in mail links are not encoded as plus signs, which mail programs would show', () => {
  expect(shareLinks(shared).email).not.toContain('+');
});

test('WhatsApp gets the text and the address, Facebook only the address', () => {
  const { whatsapp, facebook } = shareLinks(shared);
  expect(new URL(whatsapp).searchParams.get('text')).toBe(`${shared.words} ${shared.url}`);
  expect([...new URL(facebook).searchParams]).toEqual([['u', shared.url]]);
});
