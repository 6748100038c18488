/* A stand-in for Stripe.js that talks to the sandbox it was loaded from. Card data stays in frames
 * of the sandbox's origin; this script only carries messages between them and the page. */
(function () {
  'use strict';
  if (window.Stripe) return;

  var base = new URL(document.currentScript.src).origin;
  var counter = 0;

  var words = {
    en: { frame: 'Secure payment input frame', dialog: 'Card authentication', close: 'Close', agree: 'Pay with Google Pay', left: 'The wallet was closed.' },
    fi: { frame: 'Suojattu maksukenttä', dialog: 'Kortin varmennus', close: 'Sulje', agree: 'Maksa Google Paylla', left: 'Lompakko suljettiin.' },
    sv: { frame: 'Skyddat betalningsfält', dialog: 'Kortets verifiering', close: 'Stäng', agree: 'Betala med Google Pay', left: 'Plånboken stängdes.' }
  };

  function language(locale) {
    var wanted = String(!locale || locale === 'auto' ? navigator.language : locale).slice(0, 2).toLowerCase();
    return words[wanted] ? wanted : 'en';
  }

  function style(element, rules) {
    Object.keys(rules).forEach(function (name) { element.style.setProperty(name, rules[name]); });
    return element;
  }

  function failure(message, code, type) {
    var error = { type: type || 'invalid_request_error', message: message };
    if (code) error.code = code;
    return { error: error };
  }

  function intentOf(secret) {
    var cut = typeof secret === 'string' ? secret.indexOf('_secret_') : -1;
    return cut > 0 ? secret.slice(0, cut) : '';
  }

  /* The API's path of a payment or setup intent. */
  function pathOf(id) { return (id.indexOf('seti_') === 0 ? '/v1/setup_intents/' : '/v1/payment_intents/') + id; }

  /* Adds name[sub]=value pairs the way the API takes them. */
  function encode(params, prefix, into) {
    into = into || new URLSearchParams();
    Object.keys(params || {}).forEach(function (name) {
      var value = params[name];
      var key = prefix ? prefix + '[' + name + ']' : name;
      if (value === undefined || value === null) return;
      if (typeof value === 'object') encode(value, key, into);
      else into.append(key, String(value));
    });
    return into;
  }

  function request(publishableKey, method, path, params) {
    var query = encode(params).toString();
    var options = { method: method, headers: { Authorization: 'Bearer ' + publishableKey } };
    if (method === 'POST') {
      options.body = query;
      options.headers['Content-Type'] = 'application/x-www-form-urlencoded';
    }
    return fetch(base + path + (method === 'GET' && query ? '?' + query : ''), options).then(
      function (response) {
        return response.json().then(function (body) {
          if (!response.ok) {
            if (response.status === 401) body.error.type = 'authentication_error';
            if (response.status === 429) body.error.type = 'rate_limit_error';
          }
          return body;
        });
      }
    ).catch(function () {
      return failure('We could not reach the payment provider.', '', 'api_connection_error');
    });
  }

  function emitter() {
    var handlers = {};
    return {
      on: function (name, fn) { (handlers[name] = handlers[name] || []).push(fn); },
      off: function (name, fn) {
        handlers[name] = (handlers[name] || []).filter(function (held) { return fn && held !== fn && held.original !== fn; });
      },
      emit: function (name, value) { (handlers[name] || []).slice().forEach(function (fn) { fn(value); }); }
    };
  }

  /* One element: a frame of the sandbox in a container of the page. */
  function createElement(type, elements, options) {
    var id = 'el_' + (++counter) + '_' + Math.random().toString(36).slice(2);
    var events = emitter();
    var frame = null;
    var loaded = false;
    var queue = [];
    var replies = {};
    var sequence = 0;
    var lang = language(elements._options.locale);

    function post(message) {
      message.element = id;
      if (loaded) frame.contentWindow.postMessage(message, base);
      else queue.push(message);
    }

    function onMessage(event) {
      var message = event.data;
      if (!frame || event.origin !== base || event.source !== frame.contentWindow || !message || message.element !== id) return;
      if (message.event === 'loaded') {
        loaded = true;
        post({ command: 'init', wallet: hasWallet(), type: type, locale: lang, options: plain(options), appearance: elements._options.appearance, fonts: plain(elements._options.fonts || []) });
        queue.splice(0).forEach(post);
      } else if (message.event === 'height') {
        frame.style.height = message.height + 'px';
      } else if (message.event === 'reply') {
        replies[message.sequence](message.result);
        delete replies[message.sequence];
      } else {
        var value = message.value || {};
        value.elementType = type;
        events.emit(message.event, message.event === 'ready' ? element : value);
      }
    }

    var element = {
      _type: type,
      _ask: function (command, args) {
        return new Promise(function (resolve) {
          if (!frame) {
            resolve(failure('The element is not mounted.'));
            return;
          }
          sequence += 1;
          replies[sequence] = resolve;
          post({ command: command, sequence: sequence, args: args });
        });
      },
      _appearance: function (appearance) { if (frame) post({ command: 'appearance', appearance: appearance }); },
      _locale: function (locale) {
        lang = language(locale);
        if (!frame) return;
        frame.title = words[lang].frame;
        post({ command: 'locale', locale: lang });
      },
      mount: function (target) {
        var holder = typeof target === 'string' ? document.querySelector(target) : target;
        if (!holder) throw new Error('The selector you specified (' + target + ') applies to no DOM elements that are currently on the page.');
        if (frame) element.unmount();
        frame = document.createElement('iframe');
        frame.title = words[lang].frame;
        frame.setAttribute('allow', 'payment *');
        frame.src = base + '/elements/frame?locale=' + lang + '#' + encodeURIComponent(JSON.stringify({ element: id, origin: window.location.origin }));
        style(frame, { border: '0', width: '100%', display: 'block', height: '1px', 'color-scheme': 'light', background: 'transparent' });
        window.addEventListener('message', onMessage);
        holder.textContent = '';
        holder.appendChild(frame);
        setTimeout(function () { events.emit('loaderstart', { elementType: type }); }, 0);
        frame.addEventListener('error', function () {
          events.emit('loaderror', { elementType: type, error: failure('The payment form could not be loaded.').error });
        });
        return element;
      },
      unmount: function () {
        window.removeEventListener('message', onMessage);
        if (frame && frame.parentNode) frame.parentNode.removeChild(frame);
        frame = null;
        loaded = false;
        queue = [];
        return element;
      },
      destroy: function () {
        element.unmount();
        elements._forget(element);
        return element;
      },
      update: function (changes) {
        Object.assign(options, changes || {});
        if (frame) post({ command: 'update', options: plain(changes || {}) });
        return element;
      },
      on: function (name, fn) { events.on(name, fn); return element; },
      once: function (name, fn) {
        function once(value) { events.off(name, fn); fn(value); }
        once.original = fn;
        events.on(name, once);
        return element;
      },
      off: function (name, fn) { events.off(name, fn); return element; },
      focus: function () { post({ command: 'focus' }); return element; },
      blur: function () { post({ command: 'blur' }); return element; },
      clear: function () { post({ command: 'clear' }); return element; },
      collapse: function () { return element; }
    };
    return element;
  }

  /* Whether the browser has a wallet, which tests set with sessionStorage['stripe-sandbox-wallet'] = 'google_pay'. */
  function hasWallet() {
    try {
      return window.sessionStorage.getItem('stripe-sandbox-wallet') === 'google_pay';
    } catch (error) {
      return false;
    }
  }

  /* Drops what postMessage cannot transfer, such as functions. */
  function plain(value) { return JSON.parse(JSON.stringify(value || {})); }

  function createElements(publishableKey, options) {
    var held = [];
    var approved = false;
    var elements = {
      _options: options,
      _elements: true,
      _forget: function (element) { held = held.filter(function (other) { return other !== element; }); },
      _form: function () { return held[0] || null; },
      create: function (type, elementOptions) {
        if (type !== 'payment' && type !== 'card') throw new Error('The sandbox offers the elements payment and card, not ' + type + '.');
        if (elements.getElement(type)) throw new Error('Can only create one Element of type ' + type + ' through elements().create.');
        var element = createElement(type, elements, Object.assign({}, elementOptions));
        held.push(element);
        return element;
      },
      getElement: function (type) {
        return held.filter(function (element) { return element._type === type; })[0] || null;
      },
      update: function (changes) {
        Object.assign(options, changes || {});
        if (changes && changes.appearance) held.forEach(function (element) { element._appearance(changes.appearance); });
        if (changes && changes.locale) held.forEach(function (element) { element._locale(changes.locale); });
        return elements;
      },
      fetchUpdates: function () {
        if (!options.clientSecret) return Promise.resolve({});
        return request(publishableKey, 'GET', pathOf(intentOf(options.clientSecret)), { client_secret: options.clientSecret })
          .then(function (body) { return body.error ? { error: body.error } : {}; });
      },
      submit: function () {
        var form = elements._form();
        if (!form) return Promise.resolve(failure('Mount an element before you submit.'));
        approved = false;
        return form._ask('submit').then(function (result) {
          if (result.error || !result.selectedPaymentMethod) return result.error ? result : { selectedPaymentMethod: 'card' };
          return showWallet(options, language(options.locale)).then(function (paid) {
            approved = paid;
            return paid ? result : failure(words[language(options.locale)].left, 'incomplete', 'validation_error');
          });
        });
      },
      /* An approval in the wallet is valid for one confirmation. */
      _takeApproval: function () {
        var was = approved;
        approved = false;
        return was;
      }
    };
    return elements;
  }

  /* Creates a dialog over the page; the caller opens it. */
  function overlay(label) {
    var dialog = style(document.createElement('dialog'), {
      position: 'fixed', inset: '0', width: '100vw', height: '100vh', 'max-width': 'none', 'max-height': 'none',
      margin: '0', padding: '16px', border: '0', 'box-sizing': 'border-box', background: 'rgb(13 24 19 / .56)', 'z-index': '2147483647'
    });
    dialog.setAttribute('aria-label', label);
    var panel = style(document.createElement('div'), {
      position: 'relative', margin: '5vh auto 0', width: '100%', 'max-width': '460px', background: 'light-dark(#ffffff, #141d19)',
      'border-radius': '20px', overflow: 'hidden'
    });
    dialog.appendChild(panel);
    document.body.appendChild(dialog);
    return { dialog: dialog, panel: panel };
  }

  /* Shows the wallet's payment sheet; resolves true when it was approved, false when it was closed. */
  function showWallet(options, lang) {
    return new Promise(function (resolve) {
      var before = document.activeElement;
      var sheet = overlay('Google Pay');
      style(sheet.panel, {
        display: 'grid', gap: '12px', 'box-sizing': 'border-box', padding: '28px', color: 'light-dark(#15231d, #efece3)', font: '600 17px system-ui, sans-serif'
      });
      var sum = new Intl.NumberFormat(lang, { style: 'currency', currency: options.currency || 'eur' }).format((options.amount || 0) / 100);
      var text = style(document.createElement('p'), { margin: '0 0 4px' });
      text.textContent = 'Google Pay · Visa ···· 4242 · ' + sum;
      sheet.panel.appendChild(text);
      function finish(paid) {
        sheet.dialog.close();
        sheet.dialog.remove();
        if (before && before.focus) before.focus();
        resolve(paid);
      }
      [[words[lang].agree, true], [words[lang].close, false]].forEach(function (choice) {
        var button = style(document.createElement('button'), {
          'min-height': '44px', padding: '0 16px', border: '1px solid light-dark(#17503f, #86cba8)', 'border-radius': '12px',
          background: 'transparent', color: 'light-dark(#17503f, #86cba8)', font: 'inherit', cursor: 'pointer'
        });
        button.type = 'button';
        button.textContent = choice[0];
        button.addEventListener('click', function () { finish(choice[1]); });
        sheet.panel.appendChild(button);
      });
      sheet.dialog.addEventListener('cancel', function (event) { event.preventDefault(); finish(false); });
      sheet.dialog.showModal();
    });
  }

  /* Shows the challenge over the page, in the page's own colour scheme; resolves true when it was answered, false when closed. */
  function showChallenge(url, lang) {
    return new Promise(function (resolve) {
      var address = new URL(url);
      var id = address.pathname.split('/').pop();
      address.searchParams.set('embedded', '1');
      address.searchParams.set('locale', lang);
      address.searchParams.set('theme', getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'dark' : 'light');

      var before = document.activeElement;
      var sheet = overlay(words[lang].dialog);
      var dialog = sheet.dialog;
      var panel = sheet.panel;
      var frame = style(document.createElement('iframe'), {
        border: '0', width: '100%', height: 'min(520px, 80vh)', display: 'block'
      });
      frame.title = words[lang].dialog;
      frame.src = address.toString();
      var close = style(document.createElement('button'), {
        position: 'absolute', top: '8px', right: '8px', 'min-height': '44px', padding: '0 12px', border: '0',
        background: 'transparent', color: 'light-dark(#17503f, #86cba8)', font: '600 15px system-ui, sans-serif', cursor: 'pointer'
      });
      close.type = 'button';
      close.textContent = words[lang].close;
      panel.appendChild(frame);
      panel.appendChild(close);

      function finish(answered) {
        window.removeEventListener('message', onMessage);
        if (dialog.open) dialog.close();
        dialog.remove();
        if (before && before.focus) before.focus();
        resolve(answered);
      }
      function onMessage(event) {
        var message = event.data;
        if (event.origin !== base || event.source !== frame.contentWindow || !message || message.challenge !== id) return;
        finish(message.outcome !== 'closed');
      }
      window.addEventListener('message', onMessage);
      close.addEventListener('click', function () { finish(false); });
      dialog.addEventListener('cancel', function (event) { event.preventDefault(); finish(false); });
      dialog.showModal();
      frame.focus();
    });
  }

  function Stripe(publishableKey, options) {
    var settings = options || {};
    if (typeof publishableKey !== 'string' || !/^pk_(test|live)_/.test(publishableKey)) {
      throw new Error('Please call Stripe() with your publishable key. You used an empty or malformed one.');
    }
    if (/^pk_live_/.test(publishableKey)) throw new Error('The sandbox takes no live keys.');

    function retrieve(secret) {
      var id = intentOf(secret);
      if (!id) return Promise.resolve(failure('The client secret is missing or malformed.'));
      return request(publishableKey, 'GET', pathOf(id), { client_secret: secret });
    }

    function asResult(body) {
      if (body.error) return { error: body.error };
      return body.object === 'setup_intent' ? { setupIntent: body } : { paymentIntent: body };
    }

    /* The result of a finished attempt: a decline after a challenge is an error, as one before it. */
    function settled(body) {
      var last = body.last_payment_error || body.last_setup_error;
      if (!body.error && body.status === 'requires_payment_method' && last) return { error: withIntent(last, body) };
      return asResult(body);
    }

    function withIntent(error, body) {
      var named = {};
      named[body.object] = body;
      return Object.assign({}, error, named);
    }

    function act(intent, secret) {
      var action = intent.next_action;
      if (intent.status !== 'requires_action' || !action) return Promise.resolve(settled(intent));
      if (action.type === 'redirect_to_url') {
        window.location.assign(action.redirect_to_url.url);
        return new Promise(function () {});
      }
      return showChallenge(action.use_stripe_sdk.stripe_js, language(settings.locale)).then(function (answered) {
        return retrieve(secret).then(function (body) {
          if (!answered && !body.error && body.status === 'requires_action') {
            var result = failure('We are unable to authenticate your payment method. Please choose a different payment method and try again.',
              body.object + '_authentication_failure');
            return { error: withIntent(result.error, body) };
          }
          return settled(body);
        });
      });
    }

    function leave(intent, returnURL) {
      var url = new URL(returnURL, window.location.href);
      url.searchParams.set(intent.object, intent.id);
      url.searchParams.set(intent.object + '_client_secret', intent.client_secret);
      url.searchParams.set('redirect_status', 'succeeded');
      window.location.assign(url.toString());
      return new Promise(function () {});
    }

    /* Confirms with the card in an element's frame, or with an id when there is no frame. */
    function confirm(secret, element, params, method) {
      var id = intentOf(secret);
      if (!id) return Promise.resolve(failure('The client secret is missing or malformed.'));
      var all = Object.assign({ client_secret: secret, use_stripe_sdk: true }, params);
      var sent = element
        ? element._ask('confirm', { key: publishableKey, intent: id, params: all })
        : request(publishableKey, 'POST', pathOf(id) + '/confirm', Object.assign({ payment_method: method }, all)).then(asResult);
      return sent.then(function (result) { return result.error ? result : act(result.paymentIntent || result.setupIntent, secret); });
    }

    /* Confirms a payment or a setup intent with an element's form, or with the id of a method. */
    function confirmIntent(options) {
      options = options || {};
      var elements = options.elements;
      var params = Object.assign({}, options.confirmParams);
      var secret = options.clientSecret || (elements && elements._options.clientSecret);
      var needsURL = options.redirect !== 'if_required';
      if (needsURL && !params.return_url) return Promise.resolve(failure('You must provide confirmParams.return_url.', 'parameter_missing'));
      if (!elements) return confirm(secret, null, params, params.payment_method).then(done);
      var form = elements._form();
      if (!form) return Promise.resolve(failure('Create and mount an element before you confirm.'));
      return (elements._takeApproval() ? Promise.resolve({}) : elements.submit()).then(function (checked) {
        return checked.error ? { error: checked.error } : confirm(secret, form, params).then(done);
      });
      function done(result) {
        var intent = result.paymentIntent || result.setupIntent;
        return needsURL && intent ? leave(intent, params.return_url) : result;
      }
    }

    /* Confirms a payment or a setup intent with a card element or with the id of a method. */
    function confirmCard(secret, data, options) {
      var given = (data || {}).payment_method;
      var params = Object.assign({}, data);
      delete params.payment_method;
      var element = given && typeof given === 'object' ? given.card : null;
      if (element && given.billing_details) params.payment_method_data = { billing_details: given.billing_details };
      if (options && options.handleActions === false) {
        return element
          ? element._ask('confirm', { key: publishableKey, intent: intentOf(secret), params: Object.assign({ client_secret: secret, use_stripe_sdk: true }, params) })
          : request(publishableKey, 'POST', pathOf(intentOf(secret)) + '/confirm',
            Object.assign({ client_secret: secret, use_stripe_sdk: true, payment_method: given }, params)).then(asResult);
      }
      if (!element) return confirm(secret, null, params, given);
      return element._ask('submit').then(function (checked) { return checked.error ? checked : confirm(secret, element, params); });
    }

    function notOffered() { return Promise.resolve(failure('The sandbox does not offer tokens or sources.')); }

    return {
      _apiKey: publishableKey,
      elements: function (elementsOptions) {
        return createElements(publishableKey, Object.assign({ locale: settings.locale }, elementsOptions));
      },
      confirmPayment: confirmIntent,
      confirmCardPayment: confirmCard,
      retrievePaymentIntent: function (secret) { return retrieve(secret).then(asResult); },
      handleNextAction: function (options) {
        var secret = (options || {}).clientSecret;
        return retrieve(secret).then(function (body) { return body.error ? { error: body.error } : act(body, secret); });
      },
      handleCardAction: function (secret) {
        return retrieve(secret).then(function (body) { return body.error ? { error: body.error } : act(body, secret); });
      },
      createPaymentMethod: function (options) {
        options = options || {};
        var element = options.elements ? options.elements._form() : options.card;
        if (!element || !element._ask) return Promise.resolve(failure('Pass an element that is mounted.'));
        return element._ask('method', {
          key: publishableKey, params: options.elements ? options.params || {} : { billing_details: options.billing_details, metadata: options.metadata }
        });
      },
      confirmSetup: confirmIntent,
      confirmCardSetup: confirmCard,
      retrieveSetupIntent: function (secret) { return retrieve(secret).then(asResult); },
      createToken: notOffered,
      createSource: notOffered,
      registerAppInfo: function () {},
      _registerWrapper: function () {}
    };
  }

  Stripe.version = 'endive';
  Stripe.sandbox = true;
  window.Stripe = Stripe;
}());
