/* Takes over the colour scheme of the page that shows this challenge in a dialog, and posts a message to that page when
 * the challenge has ended or Escape is pressed. The page then reads the outcome from the intent. It runs before the
 * first paint, so that Escape works as soon as the challenge is visible. */
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
