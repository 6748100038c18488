/* Takes the colour scheme of the page that shows this challenge in a dialog, and tells it how it ended. The
 * message says only that it ended; the outcome is the intent's. It runs before anything is painted: who sees the
 * challenge can close it. */
(function () {
  'use strict';
  var theme = new URLSearchParams(window.location.search).get('theme');
  var root = document.documentElement;
  if (theme === 'dark' || theme === 'light') root.style.colorScheme = theme;
  var id = root.getAttribute('data-challenge');
  var outcome = root.getAttribute('data-outcome');
  function tell(what) { window.parent.postMessage({ challenge: id, outcome: what }, '*'); }
  if (outcome) tell(outcome);
  document.addEventListener('keydown', function (event) { if (event.key === 'Escape') tell('closed'); });
}());
