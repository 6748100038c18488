import { isDark } from './theme';

const widgetIn = (style: string, theme?: string) => {
  document.body.innerHTML = `<div style="${style}"><p><span id="w"></span></p></div>`;
  const widget = document.getElementById('w')!;
  if (theme) widget.setAttribute('theme', theme);
  return widget;
};

test.each([
  ['background-color: rgb(20, 22, 25)', undefined, true],
  ['background-color: rgb(255, 255, 255)', undefined, false],
  ['background-color: rgba(0, 0, 0, 0.1)', undefined, false],
  ['background-color: rgb(20, 22, 25)', 'light', false],
  ['background-color: rgb(255, 255, 255)', 'dark', true],
  ['background-color: rgb(255, 255, 255)', 'anything', false],
  ['', undefined, false],
])('behind %s, with the theme %s, dark is %s', (style, theme, dark) => {
  expect(isDark(widgetIn(style, theme))).toBe(dark);
});
