// Sets the colour scheme before the first paint, so that a dark page does not flash white. A file of its own, because the
// Content-Security-Policy allows no inline script.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('tk-theme');
  } catch (_) {
    // Storage is disabled: the system's preference applies.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
