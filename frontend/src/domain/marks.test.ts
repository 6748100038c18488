import { markedParts } from './marks';

const shown = (text: string, marks: string[]) =>
  markedParts(text, marks)
    .map(({ text: part, isMarked }) => (isMarked ? `[${part}]` : part))
    .join('');

test.each([
  ['Yleinen sauna auki', ['sauna'], 'Yleinen [sauna] auki'],
  ['Myös saunan kiuas', ['sauna'], 'Myös [saunan] kiuas'],
  ['Höyry – kylän saunalautta', ['sauna'], 'Höyry – kylän [sauna]lautta'],
  ['Savusauna takaisin', ['sauna'], 'Savu[sauna] takaisin'],
  ['Mehiläisiä katolla', ['mehilais', 'mehi'], '[Mehiläisiä] katolla'],
  ['Hilla-keittiö', ['keittio'], 'Hilla-[keittiö]'],
  ['Koulun katto', ['oulu'], 'Koulun katto'],
  ['Suonsilmä', ['suo'], '[Suo]nsilmä'],
  ['Ei mitään', ['sauna'], 'Ei mitään'],
  ['', ['sauna'], ''],
])('%s marked by %j is %s', (text, marks, want) => {
  expect(shown(text, marks)).toBe(want);
});
