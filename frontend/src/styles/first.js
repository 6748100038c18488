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

// Scripts of the app that could not be fetched are fetched again, since nothing else can before they are there; from the second
// failure on the page says so.
(function () {
  var texts = {
    fi: ['Sivu ei lataudu kokonaan. Yritämme uudelleen.', 'Lataa sivu uudelleen'],
    en: ['The page does not load completely. We are trying again.', 'Reload the page'],
    sv: ['Sidan laddas inte helt. Vi försöker igen.', 'Ladda om sidan'],
  };
  var pauses = [1000, 2000, 5000, 10000, 20000];
  var failures = 0;

  function fetchAgain(script, pause) {
    function now() {
      clearTimeout(timer);
      removeEventListener('online', now);
      var next = document.createElement('script');
      next.defer = true;
      next.src = script.src;
      script.replaceWith(next);
    }
    var timer = setTimeout(now, pause);
    addEventListener('online', now);
  }

  function tell(root) {
    if (root.querySelector('.tk-first-fault')) return;
    var words = texts[document.documentElement.lang] || texts.fi;
    var place = root.querySelector('.tk-first') || document.createElement('main');
    var note = document.createElement('p');
    var button = document.createElement('button');
    place.classList.add('tk-first');
    note.className = 'tk-first-fault';
    note.setAttribute('role', 'alert');
    button.textContent = words[1];
    button.addEventListener('click', function () {
      location.reload();
    });
    note.append(words[0], ' ', button);
    place.prepend(note);
    root.append(place);
  }

  addEventListener(
    'error',
    function (event) {
      var script = event.target;
      var root = document.getElementById('root');
      var isStarted = root && root.firstElementChild && !root.querySelector('.tk-first');
      if (script.tagName !== 'SCRIPT' || !root || isStarted) return;
      failures += 1;
      if (script.defer) fetchAgain(script, pauses[Math.min(failures, pauses.length) - 1]);
      if (failures > 1) tell(root);
    },
    true,
  );
})();
