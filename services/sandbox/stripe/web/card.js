/* Card rules shared by the element frame and the hosted page. */
(function () {
  'use strict';

  function digits(text) { return text.replace(/\D/g, ''); }

  function luhn(number) {
    var sum = 0;
    for (var i = 0; i < number.length; i += 1) {
      var digit = Number(number[number.length - 1 - i]);
      if (i % 2 === 1) { digit *= 2; if (digit > 9) digit -= 9; }
      sum += digit;
    }
    return sum % 10 === 0;
  }

  function brand(number) {
    if (/^4/.test(number)) return 'visa';
    if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
    if (/^3[47]/.test(number)) return 'amex';
    return 'unknown';
  }

  function numberLength(number) { return brand(number) === 'amex' ? 15 : 16; }

  function groupNumber(number) {
    return brand(number) === 'amex'
      ? number.replace(/^(\d{4})(\d{0,6})(\d{0,5}).*/, '$1 $2 $3').trim()
      : number.replace(/(\d{4})(?=\d)/g, '$1 ');
  }

  function groupExpiry(text, deleting) {
    var raw = digits(text).slice(0, 4);
    if (raw.length === 1 && raw > '1') raw = '0' + raw;
    if (raw.length > 2) return raw.slice(0, 2) + ' / ' + raw.slice(2);
    return raw.length === 2 && !deleting ? raw + ' / ' : raw;
  }

  /* Each check returns '' or the code of what is wrong. */
  var check = {
    number: function (text) {
      var number = digits(text);
      if (number.length < numberLength(number)) return 'incomplete_number';
      return luhn(number) ? '' : 'invalid_number';
    },
    expiry: function (text) {
      var raw = digits(text);
      if (raw.length < 4) return 'incomplete_expiry';
      var month = Number(raw.slice(0, 2));
      var year = 2000 + Number(raw.slice(2));
      var now = new Date();
      if (month < 1 || month > 12) return 'invalid_expiry_month';
      if (year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1)) return 'invalid_expiry_year_past';
      return '';
    },
    cvc: function (text, number) {
      return digits(text).length < (brand(digits(number)) === 'amex' ? 4 : 3) ? 'incomplete_cvc' : '';
    }
  };

  window.CardRules = {
    digits: digits, brand: brand, check: check,
    brandName: { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express', unknown: '' },
    formatNumber: function (text) { var number = digits(text); return groupNumber(number.slice(0, numberLength(number))); },
    formatExpiry: groupExpiry,
    formatCVC: function (text) { return digits(text).slice(0, 4); }
  };
}());
