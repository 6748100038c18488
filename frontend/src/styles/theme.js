// Runs before the first paint, so that nobody sees a white page at night. Loaded as a file of its own: the page's
// security policy allows no inline script.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('tk-theme');
  } catch (_) {
    // Storage is off: the system's wish decides.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
