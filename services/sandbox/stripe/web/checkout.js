/* Formats the card fields and fills in a test card on request; the page works without it. */
(function () {
  'use strict';
  var rules = window.CardRules;
  var number = document.getElementById('number');
  var expiry = document.getElementById('expiry');
  var cvc = document.getElementById('cvc');

  number.addEventListener('input', function () { number.value = rules.formatNumber(number.value); });
  expiry.addEventListener('input', function (event) { expiry.value = rules.formatExpiry(expiry.value, /^delete/.test(event.inputType || '')); });
  cvc.addEventListener('input', function () { cvc.value = rules.formatCVC(cvc.value); });

  document.querySelectorAll('[data-number]').forEach(function (button) {
    button.addEventListener('click', function () {
      number.value = rules.formatNumber(button.getAttribute('data-number'));
      expiry.value = '12 / ' + String(new Date().getFullYear() + 3).slice(2);
      cvc.value = '123';
      var name = document.getElementById('name');
      if (!name.value) name.value = 'Testi Maksaja';
      document.getElementById('pay').focus();
    });
  });

  var form = document.getElementById('card-form');
  form.addEventListener('submit', function () {
    // A second click while the first is on its way would be refused by the server anyway.
    setTimeout(function () { document.getElementById('pay').disabled = true; }, 0);
  });
  window.addEventListener('pageshow', function () { document.getElementById('pay').disabled = false; });
}());
