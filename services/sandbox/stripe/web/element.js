/* The frame of a Payment or Card Element: the card form, and the only place that reads a card. */
(function () {
  'use strict';
  var rules = window.CardRules;
  var settings = JSON.parse(decodeURIComponent(window.location.hash.slice(1) || '%7B%7D'));
  var names = ['number', 'expiry', 'cvc'];
  var inputs = {};
  var touched = {};
  var state = { type: 'payment', way: 'card', billing: {} };
  var styleSheet = document.styleSheets[0];
  var ownRules = 0;

  var messages = {
    en: {
      incomplete_number: 'Your card number is incomplete.', invalid_number: 'Your card number is invalid.',
      incomplete_expiry: 'Your card’s expiry date is incomplete.', invalid_expiry_month: 'Your card’s expiry month is invalid.',
      invalid_expiry_year_past: 'Your card’s expiry date is in the past.', incomplete_cvc: 'Your card’s security code is incomplete.'
    },
    fi: {
      incomplete_number: 'Kortin numero on vajaa.', invalid_number: 'Kortin numero ei kelpaa.',
      incomplete_expiry: 'Kortin voimassaoloaika on vajaa.', invalid_expiry_month: 'Kortin voimassaolokuukausi ei kelpaa.',
      invalid_expiry_year_past: 'Kortin voimassaolo on päättynyt.', incomplete_cvc: 'Kortin turvakoodi on vajaa.'
    },
    sv: {
      incomplete_number: 'Kortnumret är ofullständigt.', invalid_number: 'Kortnumret är ogiltigt.',
      incomplete_expiry: 'Kortets utgångsdatum är ofullständigt.', invalid_expiry_month: 'Kortets utgångsmånad är ogiltig.',
      invalid_expiry_year_past: 'Kortets giltighetstid har gått ut.', incomplete_cvc: 'Kortets säkerhetskod är ofullständig.'
    }
  };
  var words = messages[document.documentElement.lang] || messages.en;

  names.forEach(function (name) { inputs[name] = document.getElementById(name); });

  function send(message) {
    message.element = settings.element;
    window.parent.postMessage(message, settings.origin);
  }

  function faultOf(name) { return rules.check[name](inputs[name].value, inputs.number.value); }

  function firstFault() {
    for (var i = 0; i < names.length; i += 1) {
      var code = faultOf(names[i]);
      if (code) return { name: names[i], error: { type: 'validation_error', code: code, message: words[code] } };
    }
    return null;
  }

  function show(name) {
    var code = touched[name] ? faultOf(name) : '';
    inputs[name].classList.toggle('Input--invalid', Boolean(code));
    if (code) inputs[name].setAttribute('aria-invalid', 'true');
    else inputs[name].removeAttribute('aria-invalid');
    var error = document.getElementById(name + '-error');
    if (error.textContent !== (code ? words[code] : '')) error.textContent = code ? words[code] : '';
  }

  function changed() {
    if (state.way !== 'card') {
      send({ event: 'change', value: { empty: false, complete: true, collapsed: false, value: { type: state.way } } });
      return;
    }
    var fault = firstFault();
    var value = { empty: names.every(function (name) { return !inputs[name].value; }), complete: !fault };
    var brand = rules.brand(rules.digits(inputs.number.value));
    document.getElementById('brand').textContent = rules.brandName[brand];
    if (state.type === 'card') {
      value.brand = brand;
      value.error = fault && touched[fault.name] ? fault.error : undefined;
      value.value = { postalCode: '' };
    } else {
      value.collapsed = false;
      value.value = { type: 'card' };
    }
    send({ event: 'change', value: value });
  }

  function format(name, deleting) {
    var input = inputs[name];
    var atEnd = input.selectionStart === input.value.length;
    if (name === 'number') input.value = rules.formatNumber(input.value);
    if (name === 'expiry') input.value = rules.formatExpiry(input.value, deleting);
    if (name === 'cvc') input.value = rules.formatCVC(input.value);
    if (atEnd) input.setSelectionRange(input.value.length, input.value.length);
  }

  names.forEach(function (name) {
    inputs[name].addEventListener('input', function (event) {
      format(name, /^delete/.test(event.inputType || ''));
      if (touched[name]) show(name);
      if (name === 'number' && rules.check.number(inputs.number.value) === 'invalid_number') { touched.number = true; show('number'); }
      changed();
    });
    inputs[name].addEventListener('focus', function () { send({ event: 'focus' }); });
    inputs[name].addEventListener('blur', function () {
      if (inputs[name].value) { touched[name] = true; show(name); }
      send({ event: 'blur' });
    });
    inputs[name].addEventListener('keydown', function (event) { if (event.key === 'Escape') send({ event: 'escape' }); });
  });

  /* Offers the stand-in for a wallet, unless the page's options forbid it. */
  function offerWallet(wallets) {
    if ((wallets || {}).googlePay === 'never') return;
    document.getElementById('ways').hidden = false;
    document.getElementsByName('way').forEach(function (radio) {
      radio.addEventListener('change', function () {
        state.way = radio.value;
        document.getElementById('form').dataset.way = state.way;
        changed();
      });
    });
  }

  function submit() {
    if (state.way !== 'card') return { selectedPaymentMethod: state.way };
    names.forEach(function (name) { touched[name] = true; show(name); });
    var fault = firstFault();
    changed();
    if (!fault) return {};
    inputs[fault.name].focus();
    return { error: fault.error };
  }

  function kebab(name) { return name.replace(/[A-Z]/g, function (letter) { return '-' + letter.toLowerCase(); }); }

  /* Applies the page's appearance option: variables first, then rules for the published class names. */
  function dress(appearance) {
    appearance = appearance || {};
    var root = document.documentElement.style;
    root.cssText = '';
    if (appearance.theme === 'night') {
      [['colorBackground', '#141d19'], ['colorText', '#efece3'], ['colorTextSecondary', '#b3bdb5'], ['colorTextPlaceholder', '#8f9b93'],
        ['colorDanger', '#f2917f'], ['colorPrimary', '#86cba8'], ['colorBorder', '#6f7f75']].forEach(function (pair) { root.setProperty('--' + pair[0], pair[1]); });
    }
    Object.keys(appearance.variables || {}).forEach(function (name) {
      if (/^[a-zA-Z]+$/.test(name)) root.setProperty('--' + name, String(appearance.variables[name]));
    });
    while (ownRules > 0) { styleSheet.deleteRule(styleSheet.cssRules.length - 1); ownRules -= 1; }
    Object.keys(appearance.rules || {}).forEach(function (selector) {
      if (!/^\.(Input|Label|Error|Field|Note)(--invalid)?(:focus|:hover|:disabled|::placeholder|:focus-visible)?$/.test(selector)) return;
      var rule = styleSheet.cssRules[styleSheet.insertRule(selector + '{}', styleSheet.cssRules.length)];
      ownRules += 1;
      Object.keys(appearance.rules[selector]).forEach(function (property) {
        rule.style.setProperty(kebab(property), String(appearance.rules[selector][property]));
      });
    });
    measure();
  }

  /* Says everything in another language; what was typed stays. The words are those of the frame in that language. */
  function speak(locale) {
    return fetch('/elements/frame?locale=' + locale).then(function (response) { return response.text(); }).then(function (page) {
      var other = new DOMParser().parseFromString(page, 'text/html');
      document.documentElement.lang = other.documentElement.lang;
      words = messages[other.documentElement.lang] || messages.en;
      document.title = other.title;
      document.getElementById('form').setAttribute('aria-label', other.getElementById('form').getAttribute('aria-label'));
      var said = other.querySelectorAll('legend, .Tab, .Label, .Note');
      document.querySelectorAll('legend, .Tab, .Label, .Note').forEach(function (node, place) {
        node.lastChild.textContent = said[place].lastChild.textContent;
      });
      names.forEach(function (name) {
        inputs[name].placeholder = other.getElementById(name).placeholder;
        show(name);
      });
      measure();
    });
  }

  /* Loads the page's fonts option; a font that fails to load leaves the fallback. */
  function bring(fonts) {
    (fonts || []).forEach(function (font) {
      if (!font.family || !font.src) return;
      var face = new FontFace(font.family, font.src, { weight: font.weight || 'normal', style: font.style || 'normal', display: 'swap' });
      document.fonts.add(face);
      face.load().then(measure, function () { document.fonts.delete(face); });
    });
  }

  function measure() { send({ event: 'height', height: Math.ceil(document.getElementById('form').getBoundingClientRect().height) + 8 }); }

  function append(into, prefix, value) {
    Object.keys(value || {}).forEach(function (name) {
      var held = value[name];
      if (held === undefined || held === null) return;
      if (typeof held === 'object') append(into, prefix + '[' + name + ']', held);
      else into.append(prefix + '[' + name + ']', String(held));
    });
  }

  function cardParams(into, prefix) {
    var expiry = rules.digits(inputs.expiry.value);
    function at(name) { return prefix ? prefix + '[' + name + ']' : name; }
    into.append(at('type'), 'card');
    if (state.way !== 'card') {
      into.append(at('card') + '[token]', 'tok_' + state.way);
      return;
    }
    into.append(at('card') + '[number]', rules.digits(inputs.number.value));
    into.append(at('card') + '[exp_month]', expiry.slice(0, 2));
    into.append(at('card') + '[exp_year]', expiry.slice(2));
    into.append(at('card') + '[cvc]', inputs.cvc.value);
  }

  function call(key, path, body) {
    return fetch(path, {
      method: 'POST', body: body.toString(),
      headers: { Authorization: 'Bearer ' + key, 'Content-Type': 'application/x-www-form-urlencoded' }
    }).then(function (response) {
      return response.json().then(function (answer) {
        if (response.status === 401) answer.error.type = 'authentication_error';
        return answer;
      });
    }).catch(function () {
      return { error: { type: 'api_connection_error', message: 'We could not reach the payment provider.' } };
    });
  }

  function confirm(args) {
    var body = new URLSearchParams();
    var params = args.params;
    Object.keys(params).forEach(function (name) {
      if (typeof params[name] === 'object' && params[name]) append(body, name, params[name]);
      else if (params[name] !== undefined && params[name] !== null) body.append(name, String(params[name]));
    });
    cardParams(body, 'payment_method_data');
    var isSetup = args.intent.indexOf('seti_') === 0;
    return call(args.key, (isSetup ? '/v1/setup_intents/' : '/v1/payment_intents/') + args.intent + '/confirm', body)
      .then(function (answer) { return answer.error ? answer : isSetup ? { setupIntent: answer } : { paymentIntent: answer }; });
  }

  function createMethod(args) {
    var fault = submit();
    if (fault.error) return Promise.resolve(fault);
    var body = new URLSearchParams();
    cardParams(body, '');
    append(body, 'billing_details', args.params.billing_details);
    append(body, 'metadata', args.params.metadata);
    return call(args.key, '/v1/payment_methods', body)
      .then(function (answer) { return answer.error ? answer : { paymentMethod: answer }; });
  }

  var commands = {
    init: function (message) {
      state.type = message.type;
      bring(message.fonts);
      dress(message.appearance);
      if (message.wallet && message.type === 'payment') offerWallet(message.options.wallets);
      if (message.options.disabled || message.options.readOnly) lock(true);
      send({ event: 'ready' });
    },
    appearance: function (message) { dress(message.appearance); },
    locale: function (message) { speak(message.locale).catch(function () { /* It goes on in the language before. */ }); },
    update: function (message) { if ('disabled' in message.options || 'readOnly' in message.options) lock(message.options.disabled || message.options.readOnly); },
    focus: function () { inputs.number.focus(); },
    blur: function () { if (document.activeElement) document.activeElement.blur(); },
    clear: function () {
      names.forEach(function (name) { inputs[name].value = ''; touched[name] = false; show(name); });
      changed();
    },
    submit: function () { return Promise.resolve(submit()); },
    confirm: function (message) { return confirm(message.args); },
    method: function (message) { return createMethod(message.args); }
  };

  function lock(locked) { names.forEach(function (name) { inputs[name].disabled = Boolean(locked); }); }

  window.addEventListener('message', function (event) {
    var message = event.data;
    if (event.source !== window.parent || event.origin !== settings.origin || !message || message.element !== settings.element) return;
    var result = commands[message.command] && commands[message.command](message);
    if (result) result.then(function (value) { send({ event: 'reply', sequence: message.sequence, result: value }); });
  });
  new ResizeObserver(measure).observe(document.getElementById('form'));
  send({ event: 'loaded' });
}());
