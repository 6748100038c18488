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

/** What a paste leaves, as the lines that are seen. */
const lines = (html: string) =>
  [
    ...new DOMParser()
      .parseFromString(cleanPaste(html), 'text/html')
      .body.querySelectorAll('p, li, h2, h3, td, div, blockquote'),
  ]
    .filter((block) => !block.querySelector('p, li, h2, h3, td, div, blockquote'))
    .map(({ textContent }) => textContent.trim())
    .filter(Boolean);

test('a cell that spans rows is said in each of them', () => {
  const table =
    '<table><tr><th>Osa</th><th>Työ</th><th>Hinta</th></tr>' +
    '<tr><td rowspan="2">Kiuas</td><td>sepältä</td><td>9 400 €</td></tr><tr><td>kuljetus</td><td>300 €</td></tr>' +
    '<tr><td>Laituri</td><td rowspan="2">talkoot</td><td>0 €</td></tr><tr><td>Portaat</td><td>120 €</td></tr>' +
    '<tr><td colspan="3">Yhteensä 9 820 €</td></tr></table>';
  expect(lines(table)).toEqual([
    'Osa: Työ, Hinta',
    'Kiuas: sepältä, 9 400 €',
    'Kiuas: kuljetus, 300 €',
    'Laituri: talkoot, 0 €',
    'Portaat: talkoot, 120 €',
    'Yhteensä 9 820 €',
  ]);
});

test('paragraphs and lines within a cell do not run into one word, and links of cells stay', () => {
  const docs =
    '<table><tr><td><p><span>Kiuas</span></p><p><span>9 kW</span></p></td><td><span>9 400 €<br>syksyllä</span></td></tr>' +
    '<tr><td>Myyjä</td><td><a href="https://hoyry.fi/">Höyry</a> <b>Oy</b></td></tr></table>';
  expect(lines(docs)).toEqual(['Kiuas 9 kW: 9 400 € syksyllä', 'Myyjä: Höyry Oy']);
  expect(cleanPaste(docs)).toContain('<a href="https://hoyry.fi/">Höyry</a> <b>Oy</b>');
});

test('a table that is there for the layout, as in mails, keeps its paragraphs and lists', () => {
  expect(
    lines(
      '<table><tr><td>&nbsp;</td><td><p>Hei!</p><ul><li>puut</li><li>vesi</li></ul>' +
        '<table><tr><td>Kiuas</td><td>9 400 €</td></tr></table></td></tr></table>',
    ),
  ).toEqual(['Hei!', 'puut', 'vesi', 'Kiuas: 9 400 €']);
});

test('Word on the web puts each item in a list of its own: they are one list with its levels', () => {
  const item = (level: number, kind: string, start: number, words: string) =>
    `<div class="ListContainerWrapper SCXW1"><${kind} class="x" role="list" start="${start}"><li data-aria-level="${level}" role="listitem"><p class="Paragraph"><span>${words}</span></p></li></${kind}></div>`;
  const word = [
    item(1, 'ol', 1, 'puut'),
    item(2, 'ul', 1, 'koivu'),
    item(2, 'ul', 1, '12 mottia'),
    item(1, 'ol', 2, '2. erä'),
  ].join('');
  expect(cleanPaste(`<p>Mukana:</p>${word}<p>Loppu</p>`).replace(/<\/?span>/g, '')).toBe(
    '<p>Mukana:</p><ol><li>puut<ul><li>koivu</li><li>12 mottia</li></ul></li><li>2. erä</li></ol><p>Loppu</p>',
  );
});

test('the boxes of a checklist are no pictures', () => {
  const docs =
    '<ul><li role="checkbox" aria-checked="false"><img src="data:image/png;base64,A" alt="valitsematon"><p>puut</p></li></ul>';
  const notion =
    '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>vesi</span></li></ul>';
  expect(clean(docs + notion, true).pictures).toBe(0);
  expect(lines(docs)).toEqual(['puut']);
  expect(cleanPaste(notion)).toContain('<span>vesi</span>');
});

test('text in a form, and the words under what is no picture, stay', () => {
  expect(lines('<form><p>Kiuas</p><input value="x"><button>Lähetä</button></form>')).toEqual(['Kiuas']);
  expect(
    lines(
      '<figure><table><tr><td>Kiuas</td><td>9 400 €</td></tr></table><figcaption><p>Hinnat 2026</p></figcaption></figure>',
    ),
  ).toEqual(['Kiuas: 9 400 €', 'Hinnat 2026']);
  expect(
    lines('<figure><img src="https://x.fi/a.jpg"><figcaption><p>Kuva: A</p></figcaption></figure>'),
  ).toEqual([]);
});

test('the cells of a spreadsheet are lines, though they come with their widths', () => {
  expect(
    cleanPaste(
      '<table><colgroup><col width="64"></colgroup><tr height="20"><td class="xl65">Kiuas</td><td align="right">9400</td></tr></table>',
    ),
  ).toBe('<p>Kiuas: 9400</p>');
});

test('a quotation is one, whatever stands in it; one that only indents lists and headings is none', () => {
  expect(cleanPaste('<blockquote><p>Löyly <b>on</b></p>\n<p>kaikkien.</p></blockquote>')).toBe(
    '<blockquote>Löyly <b>on</b><br>kaikkien.</blockquote>',
  );
  expect(cleanPaste('<blockquote><div>Löyly</div></blockquote>')).toBe('<blockquote>Löyly</blockquote>');
  expect(cleanPaste('<blockquote style="margin:0 0 0 40px"><ul><li>puut</li></ul></blockquote>')).toBe(
    '<ul><li>puut</li></ul>',
  );
});

test('a link leads to its page, not through the sender’s mail or search program', () => {
  const of = (href: string) =>
    new DOMParser()
      .parseFromString(cleanPaste(`<p><a href="${href}">a</a></p>`), 'text/html')
      .querySelector('a')
      ?.getAttribute('href');
  expect(
    of(
      'https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fhoyry.fi%2Fkiuas&amp;data=05%7Cmaija%40hoyry.fi',
    ),
  ).toBe('https://hoyry.fi/kiuas');
  expect(of('https://www.google.com/url?q=https://hoyry.fi/&amp;sa=D&amp;ust=1')).toBe('https://hoyry.fi/');
  expect(of('https://www.google.com/search?q=kiuas')).toBe('https://www.google.com/search?q=kiuas');
  expect(of('https://www.google.com/url?q=javascript:alert(1)')).toBe(
    'https://www.google.com/url?q=javascript:alert(1)',
  );
});

test('lists are as deep as a text can have them, with all their items', () => {
  const deep = (level: number): string =>
    `<ul><li>${level}${level < 8 ? deep(level + 1) : ''}</li><li>${level}b</li></ul>`;
  const { body } = new DOMParser().parseFromString(cleanPaste(deep(1)), 'text/html');
  expect(body.querySelector('ul ul ul ul ul')).not.toBeNull();
  expect(body.querySelector('ul ul ul ul ul ul')).toBeNull();
  expect(body.textContent).toBe('123456788b7b6b5b4b3b2b1b');
  const docs = (level: number): string =>
    `<ul><li>${level}</li>${level < 8 ? docs(level + 1) : ''}<li>${level}b</li></ul>`;
  const beside = new DOMParser().parseFromString(cleanPaste(docs(1)), 'text/html').body;
  expect(beside.querySelector('ul ul ul ul ul ul')).toBeNull();
  expect(beside.textContent).toBe('123456788b7b6b5b4b3b2b1b');
});

test('blank lines of word processors, and headings in items, are no blocks of their own', () => {
  expect(
    cleanPaste(
      '<p class="MsoNormal">a</p><p><o:p>&nbsp;</o:p></p><p><br></p><p>b</p><ul><li><h2>c</h2></li></ul>',
    ),
  ).toBe('<p class="MsoNormal">a</p><p>b</p><ul><li><p>c</p></li></ul>');
});
