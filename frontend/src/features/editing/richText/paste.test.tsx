import { cleanPaste } from './paste';

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
