// Sets the colour scheme before the first paint, so that a dark page does not flash white, and follows the system until
// the app does. A file of its own, because the Content-Security-Policy allows no inline script.
(function () {
  var system = matchMedia('(prefers-color-scheme: dark)');
  function apply() {
    var chosen = null;
    try {
      chosen = localStorage.getItem('tk-theme');
    } catch (_) {
      // Storage is disabled: the system's preference applies.
    }
    var dark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  }
  apply();
  system.addEventListener('change', apply);
})();

// If the server's HTML has a picture, the app's scripts are in a <template>, which loads nothing. They start once that
// picture has been painted, because on a slow connection they would compete with it for bandwidth. A pointer press, a
// key press, or a second without the picture starts them too.
(function () {
  function start() {
    var app = document.getElementById('tk-app');
    if (app) app.replaceWith(app.content);
  }
  function startAfterPaint() {
    new PerformanceObserver(start).observe({ type: 'element', buffered: true });
    setTimeout(start, 100);
  }
  document.addEventListener('DOMContentLoaded', function () {
    var picture = document.querySelector('.tk-first img');
    if (!picture) return start();
    picture.decode().then(startAfterPaint, start);
    setTimeout(start, 1000);
    addEventListener('pointerdown', start, true);
    addEventListener('keydown', start, true);
  });
})();
