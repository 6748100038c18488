import { listsInText } from './pasteText';

const html = (text: string) => listsInText(text)?.innerHTML;

test('lines that begin with a bullet become a list, also beside other lines', () => {
  expect(html('Mukaan:\n- puut\n- vesi <b>\n\nTervetuloa')).toBe(
    '<p>Mukaan:</p><ul><li><p>puut</p></li><li><p>vesi &lt;b&gt;</p></li></ul><p>Tervetuloa</p>',
  );
  for (const mark of ['-', '*', '•', '·', '▪', '◦'])
    expect(html(`${mark} a\r\n  ${mark}\u00a0b`)).toBe('<ul><li><p>a</p></li><li><p>b</p></li></ul>');
});

test('numbered lines become a numbered list that begins with its first number', () => {
  expect(html('1. eka\n2. toka')).toBe('<ol><li><p>eka</p></li><li><p>toka</p></li></ol>');
  expect(html('3) kolmas\n4) neljäs')).toBe(
    '<ol start="3"><li><p>kolmas</p></li><li><p>neljäs</p></li></ol>',
  );
});

test.each([
  'a\nb',
  '- yksi viiva ei ole luettelo',
  '– Hei, sanoi Aino.\n– Hei, sanoi Reijo.',
  '-5 astetta\n-7 astetta',
  '1.12. alkaa\n2.12. päättyy',
  '1. tammikuuta\n6. tammikuuta',
  '*tärkeää*\n*sekin*',
  '',
])('%j is no list', (text) => {
  expect(html(text)).toBeUndefined();
});
