/* Takes the colour scheme of the page that shows this challenge in a dialog, and tells it how it ended. The
 * message says only that it ended; the outcome is the intent's. */
(function () {
  'use strict';
  var theme = new URLSearchParams(window.location.search).get('theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.style.colorScheme = theme;
  var id = document.body.getAttribute('data-challenge');
  var outcome = document.body.getAttribute('data-outcome');
  function tell(what) { window.parent.postMessage({ challenge: id, outcome: what }, '*'); }
  if (outcome) tell(outcome);
  document.addEventListener('keydown', function (event) { if (event.key === 'Escape') tell('closed'); });
}());
