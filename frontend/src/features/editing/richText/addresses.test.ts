import { addressesIn } from './addresses';

test.each([
  ['katso https://fi.wikipedia.org/wiki/Sauna_(kylpy).', 'https://fi.wikipedia.org/wiki/Sauna_(kylpy)'],
  ['(ks. https://fi.wikipedia.org/wiki/Sauna_(kylpy)), ja', 'https://fi.wikipedia.org/wiki/Sauna_(kylpy)'],
  ['(https://hoyry.fi/kiuas)', 'https://hoyry.fi/kiuas'],
  ['[lue](https://hoyry.fi/a?b=[1])', 'https://hoyry.fi/a?b=[1]'],
  ['Lue lisää: https://hoyry.fi/kiuas…', 'https://hoyry.fi/kiuas'],
  ['“https://hoyry.fi/kiuas”, »https://hoyry.fi/kiuas»', 'https://hoyry.fi/kiuas https://hoyry.fi/kiuas'],
  ['https://hoyry.fi/kiuas...', 'https://hoyry.fi/kiuas'],
  ['osoitteessa https://www.sääksmäki.fi/pääsivu/ö!', 'https://www.sääksmäki.fi/pääsivu/ö'],
  ['HTTPS://HOYRY.FI/?a=1&b=2#kiuas;', 'HTTPS://HOYRY.FI/?a=1&b=2#kiuas'],
  ['Tilaa osoitteesta hoyry.fi/kauppa ennen joulua.', 'hoyry.fi/kauppa'],
  ['Sivumme on kylätalo.fi.', 'kylätalo.fi'],
  ['kauppa.hoyry.com, hoyry.org (hoyry.se)', 'kauppa.hoyry.com hoyry.org hoyry.se'],
  ['Kirjoita: etu.suku@hoyry.fi tai www.hoyry.fi', 'etu.suku@hoyry.fi www.hoyry.fi'],
  ['klo 9.fi, 3.5.fi', ''],
  ['esim. kiuas.jpg, 2.5 kg, v1.2.com2, hoyry.finland, ks.alla', ''],
  ['https://', ''],
])('%s', (text, found) => {
  expect(
    addressesIn(text)
      .map((one) => one.text)
      .join(' '),
  ).toBe(found);
  for (const { index, text: words } of addressesIn(text))
    expect(text.slice(index, index + words.length)).toBe(words);
});

test('an address of mail is a link that writes to it', () => {
  expect(addressesIn('etu.suku@hoyry.fi')[0]?.href).toBe('mailto:etu.suku@hoyry.fi');
});
