import { cleanPaste as clean, isOnePicture } from './paste';

const cleanPaste = (html: string) => clean(html, true).html;

test('a list from Word becomes a list', () => {
  const word = `<p class="MsoNormal">Mukana:</p>
<p class="MsoListParagraphCxSpFirst" style="mso-list:l0 level1 lfo1"><!--[if !supportLists]--><span style="mso-list:Ignore">·<span>&nbsp;&nbsp; </span></span><!--[endif]-->puut<o:p></o:p></p>
<p class="MsoListParagraphCxSpLast" style="mso-list:l0 level1 lfo1"><span>·<span>&nbsp;&nbsp; </span></span><b>pyyhkeet</b></p>
<p class="MsoNormal">Tervetuloa</p>`;
  const cleaned = cleanPaste(word).replace(/\s+/g, ' ');
  expect(cleaned).toMatch(
    /<p class="MsoNormal">Mukana:<\/p> <ul><li>.*puut<\/li><li>.*<b>pyyhkeet<\/b><\/li><\/ul>/,
  );
  expect(cleaned).not.toContain('·');
});

test('numbered paragraphs from Word become a numbered list', () => {
  const cleaned = cleanPaste(
    '<p class="MsoListParagraph">1.&nbsp; eka</p><p class="MsoListParagraph">2.&nbsp; toka</p>',
  );
  expect(cleaned).toBe('<ol><li>eka</li><li>toka</li></ol>');
});

test('pictures of other servers, scripts and players are removed', () => {
  const cleaned = cleanPaste(
    '<p>a<img src="https://spy.example/p.gif" onerror="alert(1)"></p><script>x()</script><iframe src="https://x.fi"></iframe>',
  );
  expect(cleaned).toBe('<p>a</p>');
});

test('headings are mapped to the two levels of the editor', () => {
  expect(cleanPaste('<h1>A</h1><h2>B</h2><h5>C</h5>')).toBe('<h2>A</h2><h2>B</h2><h3>C</h3>');
});

test('the <b> that Google Docs wraps around everything is not bold', () => {
  expect(cleanPaste('<b style="font-weight:normal"><p>a <b>b</b></p></b>')).toBe('<p>a <b>b</b></p>');
});

test('a second level of Word’s list is a list within the item, whatever its numbers look like', () => {
  const item = (level: number, mark: string, words: string) =>
    `<p class="MsoListParagraph" style="mso-list:l0 level${level} lfo1">${mark}&nbsp;&nbsp; ${words}</p>`;
  const word = [
    item(1, '1.', 'puut'),
    item(2, '1.1.', 'koivu'),
    item(2, '1.2.', 'leppä'),
    item(1, '2.', 'vesi'),
    item(2, 'A.', 'kaivo'),
    item(3, 'iii.', 'pumppu'),
    item(2, 'o', 'järvi'),
  ].join('');
  expect(cleanPaste(word)).toBe(
    '<ol><li>puut<ol><li>koivu</li><li>leppä</li></ol></li>' +
      '<li>vesi<ol><li>kaivo<ol><li>pumppu</li></ol></li></ol><ul><li>järvi</li></ul></li></ol>',
  );
});

test('the rows of a table become lines that keep what belongs together; one column is only a layout', () => {
  const table =
    '<table><tr><td><p>Kiuas:</p></td><td><p>9 400 €</p></td></tr><tr><th>Laituri</th><td>1 200 €</td><td>syksyllä</td></tr><tr><td></td><td> </td></tr></table>';
  const { body } = new DOMParser().parseFromString(cleanPaste(table), 'text/html');
  expect([...body.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'Kiuas: 9 400 €',
    'Laituri: 1 200 €, syksyllä',
  ]);
  expect(cleanPaste('<table><tr><td><p>a</p><p>b</p></td></tr></table>')).toContain('<p>a</p><p>b</p>');
});

test('players of known services stay, and what is left out is counted', () => {
  const pasted =
    '<p>a<img src="https://x.fi/a.jpg"><img src="https://x.fi/b.jpg"><img src="https://x.fi/1.gif" width="1" height="1"></p>' +
    '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?si=x"></iframe><iframe src="https://maps.example/"></iframe>' +
    '<iframe src="https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b"></iframe>';
  const { html, pictures, players } = clean(pasted, true);
  expect(html).toBe(
    '<p>a</p>' +
      '<div data-tk-video="{&quot;src&quot;:&quot;https://www.youtube.com/watch?v=dQw4w9WgXcQ&quot;}"></div>' +
      '<div data-tk-iframe="{&quot;src&quot;:&quot;https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fa%2Fb&quot;}"></div>',
  );
  expect({ pictures, players }).toEqual({ pictures: 2, players: 1 });
  expect(clean(pasted, false)).toMatchObject({ pictures: 2, players: 2 });
});

test('a copied picture is one picture without words', () => {
  expect(isOnePicture('<meta charset="utf-8"><img src="https://x.fi/a.jpg" alt="A">')).toBe(true);
  expect(isOnePicture('<p>Kiuas</p><img src="file:///a.png">')).toBe(false);
  expect(isOnePicture('<p>Kiuas</p>')).toBe(false);
});
